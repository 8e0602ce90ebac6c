const dayMs = 86_400_000

/** So many days after a period begins, its end is still fresh in mind. */
const quietDays = 3

/** The earliest reminder of an end. */
export const firstReminder = { kind: 'end-in-30-days', ofRenewal: 'renewal-in-30-days', days: 30 } as const

const lastReminder = { kind: 'end-in-7-days', ofRenewal: 'renewal-in-7-days', days: 7 } as const

/** So many days before a renewal, a change that is not confirmed is reminded of. */
export const confirmationDays = 3

export type ReminderKind = typeof firstReminder.kind | typeof lastReminder.kind

/** The reminder of an end that is due now: the nearest one alone, since after some days without the job late is better than never. */
export function dueReminder(endsAt: Date, now: Date): ReminderKind | undefined {
  if (endsAt <= now) return undefined
  return [lastReminder, firstReminder].find((reminder) => dueAt(endsAt, reminder) <= now.getTime())?.kind
}

/** The same of a renewal. */
export function renewalReminder(kind: ReminderKind) {
  return (kind === lastReminder.kind ? lastReminder : firstReminder).ofRenewal
}

/** A reminder would follow too soon upon a period that begins after this moment. */
export function quietBegin(endsAt: Date, kind: ReminderKind): Date {
  const reminder = kind === lastReminder.kind ? lastReminder : firstReminder
  return new Date(dueAt(endsAt, reminder) - quietDays * dayMs)
}

interface Charge {
  /** The end of a trial, or of a year. */
  endsAt: Date
  periodStart: Date
  /** Its Owner has it by a transfer, and the period is from then. */
  isMoved: boolean
}

/** So many days before its charge, what was transferred shortly before is reminded of. Later transfers have just named the charge. */
const movedDays = 4

/** Which reminder of a charge is due: a week before, or earlier, or, where a transfer came in between, some days before. */
export function chargeReminder({ endsAt, periodStart, isMoved }: Charge, now: Date): ReminderKind | undefined {
  const due = dueReminder(endsAt, now)
  if (!due || quietBegin(endsAt, due) >= periodStart) return due
  const movedDueAt = dueAt(endsAt, { days: movedDays })
  return isMoved && periodStart.getTime() <= movedDueAt && movedDueAt <= now.getTime() ? due : undefined
}

/** Whether the reminder of a trial's end is due, of which there is only the last. */
export function isTrialReminderDue(trial: Charge, now: Date): boolean {
  return chargeReminder(trial, now) === lastReminder.kind
}

function dueAt(endsAt: Date, { days }: { days: number }): number {
  return endsAt.getTime() - days * dayMs
}
