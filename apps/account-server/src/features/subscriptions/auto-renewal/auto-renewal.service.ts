import type { Ending, subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { type Run, runOperation, waitForChildren } from '../../payments/operations/run-operation.ts'
import { recordNow, refusalOf } from '../change-outcome.ts'
import { continueMoved } from '../moving/continue-moved.operations.ts'
import { canBegin } from '../moving/moving.rules.ts'
import { ownedSubscription } from '../owned-subscription.ts'
import { openChangeAtProvider, openChangeFrom } from '../plan-change/open-change.queries.ts'
import { plannedChangeOf, plannedToken } from '../planned-change.rules.ts'
import { isUnbegun } from '../subscription-flags.rules.ts'
import { addOnsOf, type ListedSubscription, subscriptionOfMember } from '../subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from '../subscription-record.rules.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { turnOffRenewal, turnOnRenewal } from './auto-renewal.operations.ts'
import { endWithoutRenewal, isRenewing } from './auto-renewal.rules.ts'

/** How many devices are activated in each of these subscriptions; of a noun above. */
export type CountDevices = (db: Reader, subscriptionIds: readonly string[]) => Promise<ReadonlyMap<string, number>>

/** What turning auto-renewal off would stop. @throws Problem `not_found`, `not_owner`, `not_renewing` */
export async function endingOf(deps: Deps, member: Member, sid: string, countDevices: CountDevices) {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  const renews = (one: ListedSubscription) => isRenewing(subscriptionRecord(one, viewOf(deps.config, access.now)))
  if (!renews(listed)) throw new Problem('not_renewing')

  const addOns = (await addOnsOf(deps.db, listed, { access })).filter(renews)
  const devices = await countDevices(
    deps.db,
    [listed, ...addOns].map(({ id }) => id),
  )
  const stops = (one: ListedSubscription) => endingFrom(one, devices.get(one.id) ?? 0, access.now)
  const dropped = droppedChange(listed, access.now)
  const planned = plannedToken([listed, ...addOns])
  return { ...stops(listed), list: addOns.map(stops), ...(dropped && { openChange: dropped }), planned }
}

/** The card provider drops the change that waits for its payment; PayPal's is an order of its own. */
function droppedChange(listed: ListedSubscription, now: Date): OpenChange | undefined {
  const { channel, quoteOfOpenChange: quote } = listed
  if (channel !== 'card') return undefined
  if (!quote) return openChangeAtProvider(listed)
  const isOver = quote.expiresAt !== null && Date.parse(quote.expiresAt) <= now.getTime()
  return isOver ? undefined : openChangeFrom(quote, listed)
}

function endingFrom(listed: ListedSubscription, deviceCount: number, now: Date): Ending {
  const { id, product, joinCount, storageCapacity, connectors, currentStatus: status } = listed
  const isPending = status === 'pending'
  const plannedChange = plannedChangeOf(listed, listed.nextProducts)
  const endsAt = isPending ? now : endWithoutRenewal({ ...listed, status })
  return {
    stripeSubscriptionId: id,
    appName: product.name,
    endsAt: endsAt?.toISOString() ?? '',
    charges: isPending ? chargesOfPending(listed, now) : chargesUntil(listed, endsAt),
    joinCount,
    storageCapacity,
    esignConnectors: connectors,
    deviceCount,
    ...(plannedChange && { plannedChange }),
  }
}

function chargesOfPending(listed: ListedSubscription, now: Date): Ending['charges'] {
  return isUnbegun(listed, now) ? 'before_start' : 'unconfirmed'
}

function chargesUntil({ currentStatus, periodEnd }: ListedSubscription, end: Date | null): Ending['charges'] {
  if (currentStatus === 'trialing') return 'never'
  return end && periodEnd && end > periodEnd ? 'monthly' : 'over'
}

type Cancel = EndpointInput<typeof subscriptionCancel>['body']

export async function turnOff(deps: Deps, member: Member, { sid, cancelSubIds, planned, reasons, comment }: Cancel) {
  const ids = cancelSubIds.split(',').flatMap((id) => id.trim() || [])
  const asked = { sid, cancelSubIds: ids, planned, reasons, comment }
  return recordAfter(deps, member, sid, await runOperation(deps, turnOffRenewal, { member, asked }))
}

type Renew = EndpointInput<typeof subscriptionRenew>['body']

/** What a transfer left without a provider's subscription begins as a new one, where the paid time ends. */
export async function turnOn(deps: Deps, member: Member, { sid, paymentMethodId }: Renew): Promise<Subscription> {
  const { listed } = await ownedSubscription(deps.db, deps, member, sid)
  if (listed.isOtherCurrency) throw new Problem('other_currency')
  const request = { member, asked: { sid, paymentMethodId } }
  const run = canBegin(listed)
    ? await runOperation(deps, continueMoved, request)
    : await runOperation(deps, turnOnRenewal, request)
  return recordAfter(deps, member, sid, run)
}

async function recordAfter(deps: Deps, member: Member, sid: string, run: Run<unknown, unknown>): Promise<Subscription> {
  if (run.is !== 'nothing_to_do') {
    if (run.operation.status !== 'succeeded') throw refusalOf(run.operation)
    await waitForChildren(deps, run.operation)
  }
  return recordNow(deps, member, sid)
}
