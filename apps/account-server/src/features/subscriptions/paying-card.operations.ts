import { Problem } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { type AnyDefinition, operation } from '../payments/operations/definition.ts'
import { openOperationOn } from '../payments/operations/operations.queries.ts'
import { codes } from './change-outcome.ts'
import { ownedSubscription, recordOf } from './owned-subscription.ts'
import { expectOnFile } from './paying-card.ts'
import { atProvider } from './plan-change/change-price.ts'
import { applyReadingIn } from './projection.writes.ts'
import { liveProjection } from './projection-deps.ts'
import { afterChange, readAgainIfDone, readCard } from './provider-readings.ts'
import { hasEnded } from './subscription-flags.rules.ts'
import type { ListedSubscription } from './subscription-list.queries.ts'

const ByCard = z.object({ providerId: z.string(), paymentMethodId: z.string() })

interface Asked {
  sid: string
  paymentMethodId: string
}

function sameKind(): readonly AnyDefinition[] {
  return [changePayingCard]
}

/**
 * Refuses what no other card can pay for, whichever that is.
 * @throws Problem `not_renewing`, `payer_planned`, `payment_provider_unavailable`
 */
export async function expectPayable(deps: Deps, listed: ListedSubscription): Promise<void> {
  const providerId = renewedByCard(deps, listed)
  if (await atProvider(() => ifKnown(deps.cards.hasPlannedPayer(providerId)))) throw new Problem('payer_planned')
}

/** Its id at the card provider. */
function renewedByCard(deps: Deps, listed: ListedSubscription): string {
  const { providerId, channel, currentStatus } = listed
  const isRenewing = recordOf(deps, listed).autoRenewal === 1 && !hasEnded(currentStatus)
  if (providerId === null || channel !== 'card' || !isRenewing) throw new Problem('not_renewing')
  return providerId
}

/** A card of the member's pays for a subscription from now on, in the place of what pays for it. */
export const changePayingCard = operation({
  kind: 'subscription.change_card',
  provider: 'card',
  input: ByCard,
  codes,
  subjectOf: ({ sid }: Asked) => sid,
  excludes: sameKind,

  async read(deps, member, { sid, paymentMethodId }: Asked) {
    const { listed } = await ownedSubscription(deps.db, deps, member, sid)
    if (listed.isPriceHidden) throw new Problem('bought_through_partner')
    await expectOnFile(deps, member, { paid: listed, paymentMethodId })
    await expectPayable(deps, listed)
  },

  async decide(tx, { deps, member, asked: { sid, paymentMethodId } }) {
    const { listed } = await ownedSubscription(tx, deps, member, sid)
    if (listed.isPriceHidden) throw new Problem('bought_through_partner')
    const providerId = renewedByCard(deps, listed)
    if (await openOperationOn(tx, providerId)) throw new Problem(codes.excluded, { retryAfter: 5 })
    if (listed.ownCard === paymentMethodId) return { is: 'nothing_to_do' }
    return { is: 'new', subject: sid, input: { providerId, paymentMethodId }, objectId: providerId }
  },

  async call(deps, { input: { providerId, paymentMethodId } }) {
    await deps.cards.payBy(providerId, paymentMethodId)
    return afterChange(readCard(deps, providerId, () => true))
  },

  find: (deps, { input: { providerId, paymentMethodId } }) =>
    readAgainIfDone(() => readCard(deps, providerId, ({ ownCard }) => ownCard === paymentMethodId)),

  async apply(tx, _operation, { deps, found }) {
    await applyReadingIn(tx, liveProjection(deps), found)
    return { status: 'succeeded' }
  },

  refuse: ({ kind }) => ({ status: 'failed', problem: kind === 'unavailable' ? codes.unavailable : 'not_renewing' }),
})
