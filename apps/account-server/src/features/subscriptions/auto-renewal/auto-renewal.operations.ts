import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { ifKnown, type ProviderFailure } from '../../../outside/provider-failure.ts'
import {
  type AnyDefinition,
  type NextOperation,
  type Operation,
  operation,
} from '../../payments/operations/definition.ts'
import { isFresh } from '../../payments/operations/operations.rules.ts'
import { codes } from '../change-outcome.ts'
import { dropPlanned } from '../drop-planned.ts'
import { isContinuing } from '../moving/moving.queries.ts'
import { isRefusal } from '../moving/moving.rules.ts'
import { ownedSubscription, recordOf } from '../owned-subscription.ts'
import { expectOnFile, mayBeCharged } from '../paying-card.ts'
import { plannedToken } from '../planned-change.rules.ts'
import { applyReadingIn } from '../projection.writes.ts'
import { liveProjection } from '../projection-deps.ts'
import { readAgainIfDone, readCard, readPaypal } from '../provider-readings.ts'
import { readAtProvider } from '../read-at-provider.ts'
import type { Reading } from '../reading.ts'
import type { ListedSubscription } from '../subscription-list.queries.ts'
import { subscriptions } from '../subscriptions.tables.ts'
import { type AtProvider, TurningOff, TurningOn } from './auto-renewal.input.ts'
import {
  activate,
  endAtCard,
  endBeforeStart,
  isEnding,
  readSchedules,
  resumeAtCard,
  suspend,
} from './auto-renewal.providers.ts'
import { endWithoutRenewal, isRenewing, isResumable } from './auto-renewal.rules.ts'
import { cancellations } from './cancellations.tables.ts'

async function endAtProvider(deps: Deps, off: Operation<TurningOff>): Promise<Reading> {
  const { provider, parentId, input } = off
  if (provider === 'paypal') return input.isUnbegun ? endBeforeStart(deps, input) : suspend(deps, input)
  // Of an add-on, which may be tried again long after, whatever is planned by then.
  const planned = parentId === null ? input : await deps.cards.readMoved(input.providerId)
  await dropPlanned(deps, off, { scheduleId: planned.scheduleId, late: 'unknown' })
  return endAtCard(deps, endingOf(off))
}

function readEnded(deps: Deps, { provider, input: { providerId } }: Operation<TurningOff>) {
  return provider === 'paypal'
    ? readPaypal(deps, providerId, ({ status }) => status !== 'ACTIVE')
    : readCard(deps, providerId, isEnding)
}

function endingOf({ id: operationId, input: { providerId, cancelAt } }: Operation<TurningOff>) {
  return { providerId, operationId, cancelAt: cancelAt === null ? null : new Date(cancelAt) }
}

/** Stopped between the release of its schedule and its end, it is taken up again: the Owner has asked for both. */
async function finishEnding(deps: Deps, off: Operation<TurningOff>): Promise<Reading | undefined> {
  const { scheduleId, providerId } = off.input
  if (off.provider === 'paypal' || scheduleId === '' || isFresh(off, deps.wallClock())) return undefined
  const billed = await ifKnown(deps.cards.readSubscription(providerId))
  return billed && billed.schedule === null ? endAtCard(deps, endingOf(off)) : undefined
}

/** They exclude each other, so that the last one counts. */
function changesOfRenewal(): readonly AnyDefinition[] {
  return [turnOffRenewal, turnOnRenewal]
}

interface AskedOff {
  sid: string
  cancelSubIds: readonly string[]
  /** Names the planned changes that may be dropped. */
  planned: string
  reasons: readonly number[]
  comment: string
}

/** Turns auto-renewal off, with the add-ons of the subscription: one step each. */
export const turnOffRenewal = operation({
  kind: 'subscription.turn_off_renewal',
  provider: 'card',
  input: TurningOff,
  codes,
  excludes: changesOfRenewal,
  async read(deps, member, { sid }: AskedOff) {
    const { listed, addOns } = await ownedSubscription(deps.db, deps, member, sid)
    const stopping = addOns.filter((one) => isRenewing(recordOf(deps, one)))
    return { schedules: await readSchedules(deps, [listed, ...stopping]) }
  },
  async decide(tx, { deps, member, asked: { sid, cancelSubIds, reasons, comment, planned }, facts }) {
    const found = await ownedSubscription(tx, deps, member, sid)
    const { addOns } = found
    // A transfer or a resumption is about to turn it on, or off, or one of its add-ons.
    for (const { id, providerId } of [found.listed, ...addOns]) {
      if (providerId === null && (await isContinuing(tx, member, id))) throw new Problem(codes.excluded)
    }
    if (cancelSubIds.some((id) => !addOns.some((addOn) => addOn.id === id))) throw new Problem('not_found')
    const record = recordOf(deps, found.listed)
    if (record.autoRenewal === 0 && isResumable(record)) return { is: 'nothing_to_do' }
    if (!isRenewing(record)) throw new Problem('not_renewing')

    const stopping = addOns.filter((addOn) => isRenewing(recordOf(deps, addOn)))
    // Only what the Owner was told is dropped.
    if (plannedToken([found.listed, ...stopping]) !== planned) throw new Problem('planned_change')
    const off = (listed: ListedSubscription) => {
      const scheduleId = facts.schedules.get(listed.providerId ?? '') ?? ''
      return { ...endOf(listed), scheduleId }
    }
    const input = {
      ...off(found.listed),
      reasons: [...reasons],
      comment,
      addOns: stopping.map((addOn) => ({ ...off(addOn), provider: providerOf(addOn) })),
    }
    return { is: 'new', subject: sid, provider: providerOf(found.listed), input, objectId: input.providerId }
  },
  async call(deps, off) {
    try {
      return await endAtProvider(deps, off)
    } catch (error) {
      const isOfAddOn = off.parentId !== null && isRefusal(error)
      const ended = isOfAddOn ? await readEnded(deps, off) : undefined
      if (!ended) throw error
      return ended
    }
  },
  find: async (deps, off) => (await readAgainIfDone(() => readEnded(deps, off))) ?? finishEnding(deps, off),
  async apply(tx, off, { deps, found, now }): Promise<Applied> {
    const { id, memberId, parentId, input } = off
    const { subscriptionId, reasons, comment, addOns } = input
    await applyReadingIn(tx, liveProjection(deps), found)
    await tx
      .update(subscriptions)
      .set({ isCanceledWithParent: parentId !== null })
      .where(eq(subscriptions.id, subscriptionId))
    if (parentId === null) {
      const row = { id, subscriptionId, memberId, reasons, comment, createdAt: now }
      await tx.insert(cancellations).values(row).onConflictDoNothing()
    }
    const next = addOns.map(({ provider, ...step }) => nextStep(turnOffRenewal, provider, step))
    return { status: 'succeeded', next }
  },
  // An add-on that does not end is charged on: it is tried until it does.
  refuse: (failure, off) =>
    off.parentId !== null && failure.kind !== 'missing'
      ? { status: 'failed', problem: codes.unavailable }
      : refusal(failure, off, 'not_renewing'),
})

interface AskedOn {
  sid: string
  /** A card that pays for it from now on; empty: what pays for it already. */
  paymentMethodId: string
}

/** Turns auto-renewal on again, with the add-ons that were turned off with it. */
export const turnOnRenewal = operation({
  kind: 'subscription.turn_on_renewal',
  provider: 'card',
  input: TurningOn,
  codes,
  excludes: changesOfRenewal,
  async read(deps, member, { sid, paymentMethodId }: AskedOn) {
    const { listed: before } = await ownedSubscription(deps.db, deps, member, sid)
    await readAtProvider(deps, before)
    const { listed } = await ownedSubscription(deps.db, deps, member, sid)
    const { providerId, channel } = listed
    // PayPal has its own; an ended one is refused anyway.
    if (channel !== 'card' || providerId === null || !isResumable(recordOf(deps, listed))) return { hasCard: true }
    await expectOnFile(deps, member, { paid: listed, paymentMethodId })
    if (paymentMethodId !== '') return { hasCard: true }
    return { hasCard: (await mayBeCharged(deps, member, listed)) && (await deps.cards.hasPaymentMethod(providerId)) }
  },
  async decide(tx, { deps, member, asked: { sid, paymentMethodId }, facts }) {
    const { listed, addOns } = await ownedSubscription(tx, deps, member, sid)
    const record = recordOf(deps, listed)
    if (record.autoRenewal === 1 && isRenewing(record)) return { is: 'nothing_to_do' }
    // What a file brought, and was not read at a provider yet, is turned on there.
    if (!isResumable(record) || listed.providerId === null) throw new Problem('not_resumable')
    if (listed.isPriceHidden && (paymentMethodId !== '' || !facts.hasCard)) throw new Problem('bought_through_partner')
    if (!facts.hasCard) throw new Problem('card_required')

    // What a transfer left, and could not begin with it, is resumed alone.
    const isAtProvider = ({ providerId }: ListedSubscription) => providerId !== null
    const stopped = addOns.filter((addOn) => addOn.isCanceledWithParent && isAtProvider(addOn))
    const resuming = stopped.filter((addOn) => isResumable(recordOf(deps, addOn)))
    const input = {
      ...{ ...atProvider(listed), paymentMethodId },
      addOns: resuming.map((addOn) => ({ ...stepOn(addOn), paymentMethodId })),
    }
    return { is: 'new', subject: sid, provider: providerOf(listed), input, objectId: input.providerId }
  },
  call: (deps, { id: operationId, provider, input: { providerId, paymentMethodId } }) =>
    provider === 'card'
      ? resumeAtCard(deps, { providerId, operationId, paymentMethodId })
      : activate(deps, { providerId }),
  find: (deps, { provider, input: { providerId } }) =>
    readAgainIfDone(() =>
      provider === 'card'
        ? readCard(deps, providerId, (billed) => !isEnding(billed))
        : readPaypal(deps, providerId, ({ status }) => status === 'ACTIVE'),
    ),
  async apply(tx, on, { deps, found }): Promise<Applied> {
    const { subscriptionId, addOns } = on.input
    await applyReadingIn(tx, liveProjection(deps), found)
    await tx.update(subscriptions).set({ isCanceledWithParent: false }).where(eq(subscriptions.id, subscriptionId))
    const next = addOns.map(({ provider, ...step }) => nextStep(turnOnRenewal, provider, step))
    return { status: 'succeeded', next }
  },
  refuse: (failure, on) => refusal(failure, on, 'not_resumable'),
})

interface Applied {
  status: 'succeeded'
  next: readonly NextOperation[]
}

function nextStep(definition: AnyDefinition, provider: 'card' | 'paypal', input: AtProvider): NextOperation {
  const { subscriptionId: subject, providerId: objectId } = input
  return { definition, plan: { subject, provider, input, objectId } }
}

function atProvider({ id: subscriptionId, providerId }: ListedSubscription): AtProvider {
  if (providerId === null) throw new Problem('not_renewing')
  return { subscriptionId, providerId }
}

function endOf(listed: ListedSubscription) {
  const end = endWithoutRenewal({ ...listed, status: listed.currentStatus })
  const isBound = listed.commitmentEnd !== null && end?.getTime() === listed.commitmentEnd.getTime()
  return {
    ...atProvider(listed),
    cancelAt: isBound ? end.toISOString() : null,
    isUnbegun: listed.currentStatus === 'pending',
  }
}

function providerOf({ channel }: ListedSubscription): 'card' | 'paypal' {
  return channel === 'paypal' ? channel : 'card'
}

const stepOn = (listed: ListedSubscription) => ({ ...atProvider(listed), provider: providerOf(listed) })

/** What the provider does not let happen any more is in another state than it was here; an add-on is then left as it is. */
function refusal({ kind }: ProviderFailure, { parentId }: Pick<Operation<unknown>, 'parentId'>, problem: string) {
  if (kind === 'unavailable') return { status: 'failed', problem: codes.unavailable } as const
  return parentId === null ? ({ status: 'failed', problem } as const) : ({ status: 'canceled' } as const)
}
