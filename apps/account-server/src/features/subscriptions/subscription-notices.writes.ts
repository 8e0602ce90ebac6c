import type { Tx } from '@atrium/server-kit/database.ts'
import { and, inArray, ne } from 'drizzle-orm'
import { daysLater } from '../../db/calendar.rules.ts'
import { confirmationDays, dueReminder } from './reminders.rules.ts'
import { type NoticeKind, subscriptionNotices } from './subscription-notices.tables.ts'

interface End {
  /** The subscription's id. */
  id: string
  endsAt: Date
  now: Date
}

/** Stores that the Owner is told of an end. @returns whether they were not told before */
export async function note(tx: Tx, kind: NoticeKind, { id, endsAt, now }: End): Promise<boolean> {
  const noted = await tx
    .insert(subscriptionNotices)
    .values({ subscriptionId: id, kind, endsAt, createdAt: now })
    .onConflictDoNothing()
    .returning({ kind: subscriptionNotices.kind })
  return noted.length > 0
}

/** The same of an end that has come: a job and the provider may both report it. */
export function noteEnded(tx: Tx, end: End): Promise<boolean> {
  return note(tx, 'ended', end)
}

/** Stores that the reminder which is due now is not needed: the Owner has just been told the date. */
export async function noteKnownEnd(tx: Tx, end: End): Promise<void> {
  const due = dueReminder(end.endsAt, end.now)
  if (due) await note(tx, due, end)
}

/** The same of a change to be confirmed before a renewal: its email has just named the day. */
export async function noteKnownConfirmation(tx: Tx, end: End): Promise<void> {
  if (end.endsAt <= daysLater(end.now, confirmationDays)) await note(tx, 'confirmation-in-3-days', end)
}

/** Whoever has them from now on was reminded of nothing yet. Of an end that has come, whoever was the Owner has heard. */
export async function forgetReminders(tx: Tx, ids: readonly string[]): Promise<void> {
  const { subscriptionId, kind } = subscriptionNotices
  await tx.delete(subscriptionNotices).where(and(inArray(subscriptionId, [...ids]), ne(kind, 'ended')))
}
