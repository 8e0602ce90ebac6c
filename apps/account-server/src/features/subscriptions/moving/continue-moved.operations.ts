import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { monthsLater } from '../../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../../db/sync-numbers.queries.ts'
import type { Deps } from '../../../deps.ts'
import type { StoredCard } from '../../../outside/card-provider/cards.ts'
import { continues } from '../../../outside/card-provider/moved-subscriptions.ts'
import { nothingPaid } from '../../../outside/card-provider/paid-share.ts'
import { ifKnown, otherCurrency, ProviderFailure } from '../../../outside/provider-failure.ts'
import { intervals } from '../../catalog/provider-prices.rules.ts'
import { mainCustomerId } from '../../payments/customers/customers.queries.ts'
import { type AnyDefinition, type NextOperation, operation } from '../../payments/operations/definition.ts'
import { isInTimeForCall } from '../../payments/operations/operations.rules.ts'
import { isRenewing, isResumable } from '../auto-renewal/auto-renewal.rules.ts'
import { codes } from '../change-outcome.ts'
import { ownedSubscription, recordOf } from '../owned-subscription.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { readingOfCard } from '../provider-readings.ts'
import type { Reading } from '../reading.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { Beginning, type Continuing } from './continuing.input.ts'
import { currencyOfLeft, endsWithTrial, isContinuing, lastMovedObject } from './moving.queries.ts'
import { canBegin, commitmentMetadata, isRefusal } from './moving.rules.ts'
import { endWithPeriod, noteOtherCurrency } from './moving.writes.ts'

/** What the provider has begun; undefined: it cannot go on, and why. */
type Begun = { reading: Reading } | { reading: undefined; problem: Obstacle }
type Obstacle = 'card_required' | 'tax_address_required' | 'other_currency' | 'not_resumable'

/**
 * Begins it for the new Owner where the paid time ends, if they have a card: right after the transfer, or once the Owner turns
 * auto-renewal on. Nothing is charged until then.
 */
export const continueMoved = operation({
  kind: 'subscription.continue_moved',
  provider: 'card',
  input: Beginning,
  codes,
  excludes: (): readonly AnyDefinition[] => [continueMoved],
  subjectOf: ({ sid }: { sid: string }) => sid,
  async read(deps, member, { sid }) {
    const payer = await payingCustomer(deps, member.id)
    return { hasCard: payer !== undefined, isTaxed: payer !== undefined && (await wasTaxed(deps, sid)) }
  },
  async decide(tx, { deps, member, asked: { sid }, facts: { hasCard, isTaxed } }) {
    const found = await resumable(tx, { deps, member, sid })
    if (found === undefined) return { is: 'nothing_to_do' }
    if (!hasCard) throw new Problem('card_required')
    return { is: 'new', subject: sid, input: { ...found, isTaxed } }
  },
  async call(deps, { id, memberId, calledAt, input }): Promise<Begun> {
    // An add-on may have been resumed alone since this was decided.
    const left = await currencyOfLeft(deps.db, { memberId, subscriptionId: input.subscriptionId })
    if (left === undefined) return { reading: undefined, problem: 'not_resumable' }
    const payer = await payingCustomer(deps, memberId)
    if (payer === undefined) return { reading: undefined, problem: 'card_required' }
    if (payer.currency !== undefined && payer.currency !== left.currency) {
      return { reading: undefined, problem: 'other_currency' }
    }
    const { items, isTaxed, metadata, subscriptionId } = input
    const { customerId } = payer
    if (isTaxed && !(await isLocated(deps, payer))) return { reading: undefined, problem: 'tax_address_required' }
    const paid = await paidMetadata(deps, input)
    if (!isInTimeForCall({ calledAt }, deps.wallClock()))
      throw new ProviderFailure('unavailable', new Error('too late'))
    const now = deps.clock()
    const from = firstCharge(new Date(input.from), now)
    const endsAt = input.endsAt === undefined ? null : new Date(input.endsAt)
    if (endsAt && endsAt <= from) return { reading: undefined, problem: 'not_resumable' }
    const asked = {
      ...{ customerId, items, isTaxed, operationId: id },
      metadata: { ...metadata, ...paid, [continues]: subscriptionId },
      ...{ from, endsAt, isBeyondPeriod: from > monthsLater(now, monthsOf[input.every]) },
      // The provider repeats an error for the same key. Before another call, `find` has shown that nothing was begun.
      idempotencyKey: `${id}-${calledAt?.getTime() ?? 0}`,
    }
    const syncNumber = await nextSyncNumber(deps.db)
    try {
      return { reading: await readingOfCard(deps, await deps.cards.continueSubscription(asked), syncNumber) }
    } catch (error) {
      if (!isRefusal(error)) throw error
      deps.logger.error({ err: error, operationId: id, subscriptionId }, 'a transferred subscription cannot go on')
      return { reading: undefined, problem: obstacleIn(error) }
    }
  },
  async find(deps, { id, memberId }): Promise<Begun | undefined> {
    const customerId = await mainCustomerId(deps.db, { id: memberId })
    if (customerId === undefined) return undefined
    const syncNumber = await nextSyncNumber(deps.db)
    const billed = await ifKnown(deps.cards.findContinued(customerId, id))
    return billed && { reading: await readingOfCard(deps, billed, syncNumber) }
  },
  async apply(tx, { input: { subscriptionId, addOns, isTaxed } }, { deps, found }) {
    if (!found.reading) {
      if (found.problem === 'other_currency') await noteOtherCurrency(tx, subscriptionId)
      await endWithPeriod(deps, tx, subscriptionId)
      return { status: 'canceled', problem: found.problem }
    }
    await applyReadingIn(tx, liveProjection(deps), found.reading)
    await tx.update(subscriptions).set({ isCanceledWithParent: false }).where(eq(subscriptions.id, subscriptionId))
    const next = addOns.map((addOn) => continuation({ ...addOn, isTaxed, addOns: [] }))
    return { status: 'succeeded', objectId: found.reading.providerId, next }
  },
  refuse: () => ({ status: 'failed', problem: codes.unavailable }),
})

/** As what follows from another operation. */
export function continuation(input: Beginning): NextOperation {
  return { definition: continueMoved, plan: { subject: input.subscriptionId, input } }
}

interface Asked {
  deps: Deps
  member: Member
  sid: string
}

/**
 * What begins when the Owner turns auto-renewal on; undefined: it renews already.
 * @throws Problem `not_found`, `not_owner`, `not_resumable`, `subscription_change_pending`
 */
async function resumable(tx: Tx, { deps, member, sid }: Asked) {
  const { listed, addOns } = await ownedSubscription(tx, deps, member, sid)
  const record = recordOf(deps, listed)
  if (isRenewing(record)) return undefined
  // Until the old Owner's has ended at its provider, it is not known what is paid.
  if (await isContinuing(tx, member, sid)) throw new Problem(codes.excluded)
  const continuing = isResumable(record) ? continuingFrom(listed) : undefined
  if (continuing === undefined) throw new Problem('not_resumable')
  const resuming = addOns.filter((addOn) => addOn.isCanceledWithParent && isResumable(recordOf(deps, addOn)))
  return { ...continuing, addOns: resuming.flatMap((addOn) => continuingFrom(addOn) ?? []) }
}

function continuingFrom(listed: ListedSubscription): Continuing | undefined {
  const { id: subscriptionId, providerItems, term, cancelAt, periodEnd } = listed
  const from = cancelAt ?? periodEnd
  const every = term && intervals[term]
  if (!canBegin(listed) || !from || !every) return undefined
  const items = providerItems.map(({ priceId, quantity }) => ({ priceId, quantity }))
  // What could not begin with the transfer keeps the commitment that its Owner accepted then.
  return { subscriptionId, items, from: from.toISOString(), every, metadata: commitmentMetadata(listed) }
}

/** Whether taxes were added to what it continues; of PayPal's, what the vendor's settings say. */
async function wasTaxed(deps: Deps, sid: string): Promise<boolean> {
  const before = await lastMovedObject(deps.db, sid)
  const moved = before === undefined ? undefined : await ifKnown(deps.cards.readMoved(before))
  return moved?.isTaxed ?? deps.config.STRIPE_AUTOMATIC_TAX === 'on'
}

/**
 * What share of its prices the Owner before has paid, and since when; of PayPal's all, which has no discounts here, but nothing of a
 * trial, also of one that was turned off before.
 */
async function paidMetadata(deps: Deps, { subscriptionId, from }: Pick<Beginning, 'subscriptionId' | 'from'>) {
  const before = await lastMovedObject(deps.db, subscriptionId)
  const paid = before === undefined ? undefined : await ifKnown(deps.cards.paidMetadata(before))
  return paid ?? ((await endsWithTrial(deps.db, { subscriptionId, end: new Date(from) })) ? nothingPaid : {})
}

const monthsOf = { month: 1, year: 12 }
const hourMs = 3_600_000

/**
 * What was to begin in the past or within the hour begins in an hour: never at once, since a first payment that is declined would
 * void the subscription, and a renewal is only past due.
 */
function firstCharge(from: Date, now: Date): Date {
  const soon = new Date(now.getTime() + hourMs)
  const first = from > soon ? from : soon
  // The provider takes whole seconds, and what was paid elsewhere may end within one.
  first.setUTCMilliseconds(0)
  return first
}

interface Payer {
  customerId: string
  card: StoredCard
  hasAddress: boolean
  /** The only one in which they can be billed; undefined: none yet. */
  currency: string | undefined
}

/** The provider's customer of a member, if their default card would be charged. */
async function payingCustomer(deps: Deps, memberId: string): Promise<Payer | undefined> {
  if (deps.config.CARD_PROVIDER === 'none') return undefined
  const customerId = await mainCustomerId(deps.db, { id: memberId })
  const stored = customerId && (await ifKnown(deps.cards.cards(customerId)))
  if (!stored) return undefined
  const card = stored.cards.find(({ id }) => id === stored.defaultId)
  return card && { customerId, card, hasAddress: stored.hasAddress, currency: stored.currency }
}

/**
 * Whether the provider knows where the customer is, from which tax follows. Without a billing address, the address of the card
 * says it, until there is one.
 */
async function isLocated({ cards }: Deps, { customerId, card, hasAddress }: Payer): Promise<boolean> {
  if (hasAddress) return true
  const { firstName, lastName, address } = card
  if (address.country === '') return false
  const { postalCode: postal_code, ...place } = address
  await cards.updateCustomer(customerId, {
    name: `${firstName} ${lastName}`.trim(),
    address: { ...place, postal_code },
  })
  return true
}

function obstacleIn(error: unknown): Obstacle {
  const code = error instanceof ProviderFailure ? error.code : ''
  if (code === otherCurrency) return 'other_currency'
  return code === 'customer_tax_location_invalid' ? 'tax_address_required' : 'not_resumable'
}
