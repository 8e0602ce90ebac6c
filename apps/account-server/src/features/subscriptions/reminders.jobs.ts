import type { Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { daysLater, isCardExpired } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { isMoved } from './moving/moving.queries.ts'
import { payerNow } from './payer-now.ts'
import { dueReminder, firstReminder, isTrialReminderDue, quietBegin } from './reminders.rules.ts'
import { remindOfRenewals } from './renewal-reminders.ts'
import type { SubscriptionEmail } from './subscription-emails.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { subscriptionNotices } from './subscription-notices.tables.ts'
import { note } from './subscription-notices.writes.ts'
import { accessEnd, accessNow } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'
import { remindOfUnconfirmed, type Needs as Unconfirmed } from './unconfirmed-reminders.ts'

type Needs = Unconfirmed & {
  cards: Pick<Deps['cards'], 'payerOf'>
}

/** Reminds Owners of what ends soon, of what renews after a year, and of what is to be confirmed, each once for each end. Twice at once, or late, it sends nothing twice. */
export async function sendReminders(deps: Needs): Promise<void> {
  await remindOf(deps, ends(deps))
  await remindOfRenewals(deps)
  await remindOfTrials(deps)
  await remindOfUnconfirmed(deps)
  await deps.db.delete(subscriptionNotices).where(lt(subscriptionNotices.endsAt, daysLater(deps.clock(), -keptDays)))
}

/** So long after an end nothing is sent about it. */
const keptDays = 30

const atOnce = 200

interface Subject {
  which: SQL | undefined
  /** When it ends. */
  moment: SQL<Date | number>
}

/** What does not renew by itself. */
function ends(deps: Needs): Subject {
  const { status, providerId, cancelAt } = subscriptions
  const isUnbilledTrial = and(eq(status, 'trialing'), or(isNull(providerId), isNotNull(cancelAt)))
  const which = or(inArray(status, ['active', 'offline-purchase', 'given']), isUnbilledTrial)
  return { which, moment: accessEnd(accessNow(deps)) }
}

async function remindOf(deps: Needs, subject: Subject): Promise<void> {
  let last = ''
  for (;;) {
    const page = await deps.db.transaction((tx) => remindSome(deps, tx, { last, subject }))
    const end = page.at(-1)
    if (!end || page.length < atOnce) return
    last = end
  }
}

interface Place {
  last: string
  subject: Subject
}

/** @returns the ids that it looked at, in order */
async function remindSome(deps: Needs, tx: Tx, { last, subject }: Place): Promise<string[]> {
  const { which, moment } = subject
  const now = deps.clock()
  const { id, periodStart } = subscriptions
  const soon = await tx
    .select({ id, periodStart, at: sql<number>`extract(epoch from ${moment})`.mapWith(Number) })
    .from(subscriptions)
    .where(and(gt(id, last), which, isSoon(moment, now)))
    .orderBy(asc(id))
    .limit(atOnce)
    .for('update')
  for (const { id, periodStart, at } of soon) {
    const endsAt = new Date(at * 1000)
    const due = dueReminder(endsAt, now)
    if (!due || quietBegin(endsAt, due) < periodStart) continue
    if (await note(tx, due, { id, endsAt, now })) await emailOwner(deps, tx, { id, email: 'endSoon' })
  }
  return soon.map((row) => row.id)
}

/** Of the card provider's trials: whether they are charged then, cannot be since the card has expired by then, or end. A card may be added or removed until the end. */
async function remindOfTrials(deps: Needs): Promise<void> {
  if (deps.config.CARD_PROVIDER === 'none') return
  for (const { id, providerId, trialEnd } of await trialsEndingSoon(deps)) {
    const payer = providerId ? await payerNow(deps, providerId) : undefined
    // A provider that does not answer is asked again tomorrow: nobody is told of a card that may be there, or not.
    if (!payer || !trialEnd) continue
    const email = trialEmailOf(payer, trialEnd)
    await deps.db.transaction(async (tx) => {
      const now = deps.clock()
      const [trial] = await tx
        .select({ trialEnd: subscriptions.trialEnd })
        .from(subscriptions)
        .where(and(eq(subscriptions.id, id), isTrialEndingSoon(now)))
        .for('update')
      if (!trial?.trialEnd) return
      const isNew = await note(tx, 'trial-end-in-7-days', { id, endsAt: trial.trialEnd, now })
      if (isNew) await emailOwner(deps, tx, { id, email, payer })
    })
  }
}

async function trialsEndingSoon({ db, clock }: Needs) {
  const { id, providerId, periodStart, trialEnd } = subscriptions
  const notice = and(
    eq(subscriptionNotices.subscriptionId, id),
    eq(subscriptionNotices.kind, 'trial-end-in-7-days'),
    eq(subscriptionNotices.endsAt, trialEnd),
  )
  const trials = await db
    .select({ id, providerId, periodStart, trialEnd, isMoved: isMoved() })
    .from(subscriptions)
    .leftJoin(subscriptionNotices, notice)
    .where(and(isTrialEndingSoon(clock()), isNull(subscriptionNotices.kind)))
    .orderBy(asc(trialEnd))
  return trials.filter(
    ({ trialEnd, ...trial }) => trialEnd && isTrialReminderDue({ ...trial, endsAt: trialEnd }, clock()),
  )
}

function isTrialEndingSoon(now: Date): SQL | undefined {
  const { status, channel, providerId, cancelAt, trialEnd } = subscriptions
  return and(
    eq(status, 'trialing'),
    eq(channel, 'card'),
    isNotNull(providerId),
    isNull(cancelAt),
    gt(trialEnd, now),
    lte(trialEnd, daysLater(now, 7)),
  )
}

function trialEmailOf(payer: Payer, trialEnd: Date): SubscriptionEmail {
  if (payer.is === 'none') return 'trialEnding'
  return payer.is === 'card' && isCardExpired(payer, trialEnd) ? 'trialCardExpires' : 'trialRenewing'
}

function isSoon(ends: SQL<Date | number>, now: Date): SQL {
  return sql`${ends} > ${now}::timestamptz and ${ends} <= ${daysLater(now, firstReminder.days)}::timestamptz`
}
