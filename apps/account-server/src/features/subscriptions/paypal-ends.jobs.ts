import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm'
import { daysLater } from '../../db/calendar.rules.ts'
import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { syncPaypalSubscription } from './paypal-subscriptions.sync.ts'
import { accessNow } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

export async function paypalEndsJobs(jobs: Jobs, deps: Deps): Promise<void> {
  // Before `subscriptions.end`, which writes down what has ended.
  await jobs.schedule('subscriptions.read_paypal_ends', '2 * * * *', () => readPaypalEnds(deps))
}

const atOnce = 200

/** For so many days it is read again what PayPal has neither billed nor ended. */
const searchedDays = 10

/** After so many failures PayPal is away: the next run goes on. */
const mostFailures = 5

/**
 * Reads at PayPal what begins or ends about now: paid cycles, also those whose renewal has failed before, trials, starts, and the days after
 * a failed payment. PayPal bills hours late, and no event tells that it has not.
 */
export async function readPaypalEnds(deps: Deps): Promise<void> {
  let last = ''
  let failures = 0
  for (;;) {
    const page = await endsAbout(deps, last)
    for (const { id, providerId } of page) {
      last = id
      if (!(await isRead(deps, providerId ?? ''))) failures += 1
      if (failures === mostFailures) return
    }
    if (page.length < atOnce) return
  }
}

function endsAbout(deps: Deps, last: string) {
  const { id, providerId, channel, status, periodEnd, pastDueSince, endedAt } = subscriptions
  const { now, pastDueDays } = accessNow(deps)
  const isOpen = inArray(status, ['active', 'trialing', 'pending'])
  const isOver = and(isOpen, lte(periodEnd, now), gt(periodEnd, daysLater(now, -searchedDays)))
  const triedUntil = daysLater(now, -pastDueDays)
  const isTried = and(
    eq(status, 'past_due'),
    lte(pastDueSince, triedUntil),
    gt(pastDueSince, daysLater(triedUntil, -1)),
  )
  // PayPal may have tried to bill before that: what orders have bought ends then.
  const isOverUnpaid = and(eq(status, 'past_due'), lte(periodEnd, now), gt(periodEnd, daysLater(now, -1)))
  return deps.db
    .select({ id, providerId })
    .from(subscriptions)
    .where(
      and(
        eq(channel, 'paypal'),
        isNotNull(providerId),
        isNull(endedAt),
        or(isOver, isTried, isOverUnpaid),
        gt(id, last),
      ),
    )
    .orderBy(asc(id))
    .limit(atOnce)
}

async function isRead(deps: Deps, providerId: string): Promise<boolean> {
  try {
    await syncPaypalSubscription(deps, providerId)
    return true
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    deps.logger.warn({ err: error, subscriptionId: providerId }, 'a subscription could not be read at PayPal')
    return false
  }
}
