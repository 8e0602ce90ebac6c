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

function dueAt(endsAt: Date, { days }: { days: number }): number {
  return endsAt.getTime() - days * dayMs
}
