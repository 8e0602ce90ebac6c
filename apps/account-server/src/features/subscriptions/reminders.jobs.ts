import type { Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { dueReminder, firstReminder, quietBegin } from './reminders.rules.ts'
import { emailOwner } from './subscription-emails.writes.ts'
import { subscriptionNotices } from './subscription-notices.tables.ts'
import { note } from './subscription-notices.writes.ts'
import { accessEnd, accessNow } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs' | 'logger'> & {
  cards: Pick<Deps['cards'], 'hasPaymentMethod'>
}

/** Reminds Owners of what ends soon, each once for each end. Twice at once, or late, it sends nothing twice. */
export async function sendReminders(deps: Needs): Promise<void> {
  await remindOfEnds(deps)
  await remindOfTrials(deps)
  await deps.db.delete(subscriptionNotices).where(lt(subscriptionNotices.endsAt, daysFrom(deps.clock(), -keptDays)))
}

/** So long after an end nothing is sent about it. */
const keptDays = 30

const atOnce = 200

async function remindOfEnds(deps: Needs): Promise<void> {
  let last = ''
  for (;;) {
    const page = await deps.db.transaction((tx) => remindSome(deps, tx, last))
    const end = page.at(-1)
    if (!end || page.length < atOnce) return
    last = end
  }
}

/** Of what does not renew by itself. @returns the ids that it looked at, in order */
async function remindSome(deps: Needs, tx: Tx, last: string): Promise<string[]> {
  const access = accessNow(deps)
  const ends = accessEnd(access)
  const { id, status, providerId, cancelAt, periodStart } = subscriptions
  const isUnbilledTrial = and(eq(status, 'trialing'), or(isNull(providerId), isNotNull(cancelAt)))
  const ending = await tx
    .select({ id, periodStart, ends: sql<number>`extract(epoch from ${ends})`.mapWith(Number) })
    .from(subscriptions)
    .where(
      and(
        gt(id, last),
        or(inArray(status, ['active', 'offline-purchase', 'given']), isUnbilledTrial),
        isSoon(ends, access.now),
      ),
    )
    .orderBy(asc(id))
    .limit(atOnce)
    .for('update')
  for (const { id, periodStart, ends: seconds } of ending) {
    const endsAt = new Date(seconds * 1000)
    const due = dueReminder(endsAt, access.now)
    if (!due || quietBegin(endsAt, due) < periodStart) continue
    if (await note(tx, due, { id, endsAt, now: access.now })) await emailOwner(deps, tx, { id, email: 'endSoon' })
  }
  return ending.map((row) => row.id)
}

/** Of the card provider's trials for which nothing can be charged; a card may be added or removed until the end. */
async function remindOfTrials(deps: Needs): Promise<void> {
  if (deps.config.CARD_PROVIDER === 'none') return
  for (const { id, providerId } of await trialsEndingSoon(deps)) {
    if (providerId === null || (await isPayable(deps, providerId))) continue
    await deps.db.transaction(async (tx) => {
      const now = deps.clock()
      const [trial] = await tx
        .select({ trialEnd: subscriptions.trialEnd })
        .from(subscriptions)
        .where(and(eq(subscriptions.id, id), isTrialEndingSoon(now)))
        .for('update')
      if (!trial?.trialEnd) return
      const isNew = await note(tx, 'trial-end-in-7-days', { id, endsAt: trial.trialEnd, now })
      if (isNew) await emailOwner(deps, tx, { id, email: 'trialEnding' })
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
    .select({ id, providerId, periodStart, trialEnd })
    .from(subscriptions)
    .leftJoin(subscriptionNotices, notice)
    .where(and(isTrialEndingSoon(clock()), isNull(subscriptionNotices.kind)))
    .orderBy(asc(trialEnd))
  return trials.filter(({ trialEnd, periodStart }) => trialEnd && quietBegin(trialEnd, 'end-in-7-days') >= periodStart)
}

function isTrialEndingSoon(now: Date): SQL | undefined {
  const { status, channel, providerId, cancelAt, trialEnd } = subscriptions
  return and(
    eq(status, 'trialing'),
    eq(channel, 'card'),
    isNotNull(providerId),
    isNull(cancelAt),
    gt(trialEnd, now),
    lte(trialEnd, daysFrom(now, 7)),
  )
}

/** A provider that does not answer is asked again tomorrow: nobody is told of a card that may be there. */
async function isPayable({ cards, logger }: Needs, providerId: string): Promise<boolean> {
  try {
    return await cards.hasPaymentMethod(providerId)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    logger.warn({ err: error, subscriptionId: providerId }, 'whether a trial has a card is not known now')
    return true
  }
}

function isSoon(ends: SQL<Date | number>, now: Date): SQL {
  return sql`${ends} > ${now}::timestamptz and ${ends} <= ${daysFrom(now, firstReminder.days)}::timestamptz`
}

function daysFrom(date: Date, days: number): Date {
  return new Date(date.getTime() + days * 86_400_000)
}
