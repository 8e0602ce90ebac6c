import { setTimeout as pause } from 'node:timers/promises'
import { maxCards } from '@atrium/contract/cards.ts'
import type { Act } from '@atrium/server-kit/act.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { lockMember } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import { type Setup, setupFrom } from '../../outside/cards.ts'
import { isFresh } from '../payments/attempts.rules.ts'
import { beginAttempt, settleAttempt } from '../payments/attempts.writes.ts'
import { forgetDeletedCustomer, providerCustomer } from '../payments/customers.writes.ts'
import { attemptOf, attemptOfIntent, attemptOfRequest, attemptsSince } from '../payments/payments.queries.ts'
import type { Attempt } from '../payments/payments.tables.ts'
import { additionPurpose, cancelAddition, settleAddition } from './card-additions.ts'
import { problemOf } from './card-changes.service.ts'
import { nextTryAt } from './cards.rules.ts'
import { cardList } from './cards.service.ts'

interface Asked {
  paymentMethodId: string
  act: Act | undefined
}

/** Tries of the last hour count, and a pause lasts a day after the last of them. */
const rememberedMilliseconds = 26 * 3_600_000

/**
 * Puts a payment method on file (000 §4): a row first, then the provider, then what came of it. Asked again with the same
 * key or about the same payment method, it joins the attempt that is there.
 */
export async function createSetupIntent(deps: Deps, member: Member, asked: Asked) {
  const customerId = await customerFor(deps, member)
  const { attempt, isOurs, others } = await reserve(deps, member, asked)
  if (!isOurs) return joined(deps, member, { attempt, act: asked.act })

  const setup = await save(deps, { customerId, attempt, others })
  return answerOf(await called(settleAddition(deps, attempt, { customerId, setup })), setup)
}

/** After the bank’s question, however it ended. One that was left open is given up. */
export async function finishSetupIntent(deps: Deps, member: Member, intentId: string) {
  const attempt = await attemptOfIntent(deps.db, intentId)
  if (attempt?.memberId !== member.id) throw new Problem('not_found')

  const settled = attempt.settledAt ? attempt : await finish(deps, member, { attempt, intentId })
  if (settled.status !== 'succeeded') throw refusalOf(settled)
  return { ...(await cardList(deps, member)), paymentMethodId: settled.paymentMethodId }
}

async function finish(deps: Deps, member: Member, { attempt, intentId }: { attempt: Attempt; intentId: string }) {
  const customerId = await customerFor(deps, member)
  const setup = await called(deps.cards.setup(intentId))
  return called(
    setup.status === 'requires_action'
      ? cancelAddition(deps, attempt, { customerId, setup })
      : settleAddition(deps, attempt, { customerId, setup }),
  )
}

interface Reserved {
  attempt: Attempt
  /** Made by this request, which alone may call the provider for it, and say that nothing was done. */
  isOurs: boolean
  /** Cards of the member that are about to be put on file, as of when this attempt began. */
  others: readonly Attempt[]
}

/** Under the member’s lock: each attempt knows of all that began before it. */
function reserve({ db, clock, config }: Deps, member: Member, { paymentMethodId, act }: Asked): Promise<Reserved> {
  return db.transaction(async (tx) => {
    await lockMember(tx, member)
    const now = clock()
    const recent = await attemptsSince(tx, member, additionPurpose, new Date(now.getTime() - rememberedMilliseconds))
    const known = (await sameRequest(tx, member, act)) ?? recent.find((one) => isSame(one, paymentMethodId))
    if (known) return { attempt: known, isOurs: false, others: [] }

    const waitUntil = nextTryAt(recent, now, {
      attempts: config.CARD_ATTEMPTS_PER_HOUR,
      declines: config.CARD_DECLINES_PER_HOUR,
    })
    if (waitUntil) {
      throw new Problem('too_often', { retryAfter: Math.ceil((waitUntil.getTime() - now.getTime()) / 1000) })
    }
    const attempt = await beginAttempt(tx, member, { purpose: additionPurpose, paymentMethodId, act, now })
    const others = recent.filter(({ settledAt }) => !settledAt)
    return { attempt, isOurs: true, others }
  })
}

async function sameRequest(tx: Tx, member: Member, act: Act | undefined): Promise<Attempt | undefined> {
  const known = act && (await attemptOfRequest(tx, member, act.key))
  if (known && known.requestPrint !== act.print) throw new Problem('idempotency_mismatch')
  return known
}

/** Under way, or on file: what was refused may be tried again. */
function isSame({ paymentMethodId, settledAt, status }: Attempt, wanted: string): boolean {
  return paymentMethodId === wanted && (!settledAt || status === 'succeeded')
}

interface Saving {
  customerId: string
  attempt: Attempt
  others: readonly Attempt[]
}

async function save(deps: Deps, { customerId, attempt, others }: Saving): Promise<Setup> {
  const { paymentMethodId, id: attemptId } = attempt
  await refuseEleventh(deps, { customerId, attempt, others })
  try {
    return await deps.cards.saveCard({ customerId, paymentMethodId, attemptId })
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    if (error.setup) return setupFrom(error.setup)
    if (error.kind === 'unknown') return lookedUp(deps, { customerId, attempt })
    // A card that was refused before there was an intent was tried all the same.
    if (error.kind === 'refused') await settleAttempt(deps, attempt, { status: 'declined', problem: 'card_refused' })
    else await forgetAttempt(deps, attempt, error)
    // Somebody else’s payment method looks like none.
    throw error.kind === 'invalid' ? new Problem('not_found') : problemOf(error)
  }
}

/** The limit counts what the provider has and what is under way, never one card twice. */
async function refuseEleventh(deps: Deps, { customerId, attempt, others }: Saving): Promise<void> {
  let known: readonly { id: string }[]
  try {
    known = (await deps.cards.cards(customerId)).cards
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    await forgetAttempt(deps, attempt, error)
    if (error.kind === 'missing') await forgetDeletedCustomer(deps, customerId)
    throw new Problem('card_provider_unavailable', { cause: error })
  }
  const isOver = (beside: readonly Attempt[]) =>
    new Set([...known.map(({ id }) => id), ...[...beside, attempt].map((one) => one.paymentMethodId)]).size > maxCards
  if (!isOver(others) || !isOver(await stillBeside(deps, { customerId, others }))) return
  await settleAttempt(deps, attempt, { status: 'refused', problem: 'card_limit' })
  throw new Problem('card_limit')
}

/** A bank’s question that was left open gives its place up to who is here now, unless it was answered meanwhile. */
async function stillBeside(deps: Deps, { customerId, others }: Omit<Saving, 'attempt'>): Promise<Attempt[]> {
  const left: Attempt[] = []
  for (const other of others) {
    const isAsked = other.status === 'requires_action' && other.intentId !== null
    const setup = isAsked ? await called(deps.cards.setup(other.intentId ?? '')) : undefined
    const ended = setup ? await called(cancelAddition(deps, other, { customerId, setup })) : other
    if (!ended.settledAt || ended.status === 'succeeded') left.push(ended)
  }
  return left
}

/** Milliseconds for which a request waits for another one that is at the same attempt. */
const patience = 12_000

/** Asked again: it waits for the request that is at it, and otherwise looks; it never asks the provider to do it again. */
async function joined(deps: Deps, member: Member, { attempt, act }: { attempt: Attempt; act: Act | undefined }) {
  const givenUp = Date.now() + patience
  let known = attempt
  while (!known.settledAt && !known.intentId && isFresh(known, deps.clock()) && Date.now() < givenUp) {
    await pause(150)
    known = (await attemptOf(deps.db, attempt.id)) ?? known
  }
  if (known.status === 'succeeded' && known.requestKey !== act?.key) await expectOnFile(deps, member, known)
  if (known.settledAt) return answerOf(known, undefined)

  const customerId = await customerFor(deps, member)
  const setup = known.intentId
    ? await called(deps.cards.setup(known.intentId))
    : await lookedUp(deps, { customerId, attempt: known })
  return answerOf(await called(settleAddition(deps, known, { customerId, setup })), setup)
}

/** Another act than the one that added the card. @throws Problem `not_found`: it was removed since */
async function expectOnFile(deps: Deps, member: Member, { paymentMethodId }: Attempt): Promise<void> {
  const list = await cardList(deps, member)
  if (!list.cardList.some(({ id }) => id === paymentMethodId)) throw new Problem('not_found')
}

/** @throws Problem `card_outcome_unknown` while the provider does not know of it, or does not answer */
async function lookedUp(deps: Deps, { customerId, attempt }: Omit<Saving, 'others'>): Promise<Setup> {
  const found = await called(deps.cards.setupOfAttempt(customerId, attempt.id))
  if (!found) throw new Problem('card_outcome_unknown')
  return found
}

/** Nothing was done: the same act may begin anew. */
async function forgetAttempt(deps: Deps, attempt: Attempt, { code }: CardFailure): Promise<void> {
  await settleAttempt(deps, attempt, { status: 'failed', requestKey: null, detail: code })
}

function answerOf(attempt: Attempt, setup: Setup | undefined) {
  const { status, intentId } = attempt
  if (status === 'succeeded' || status === 'requires_action') {
    return { id: intentId ?? '', status, secret: setup?.secret ?? '' }
  }
  throw refusalOf(attempt)
}

function refusalOf({ status, problem, detail }: Attempt): Problem {
  if (status === 'open' || status === 'requires_action') return new Problem('card_outcome_unknown')
  return new Problem(problem ?? 'card_refused', detail ? { detail } : {})
}

/** Without a customer nothing was tried. */
async function customerFor(deps: Deps, member: Member): Promise<string> {
  try {
    return await providerCustomer(deps, member)
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    throw new Problem('card_provider_unavailable', { cause: error })
  }
}

/** What was asked may have been done, whatever the provider failed with. */
async function called<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    throw new Problem('card_outcome_unknown', { cause: error })
  }
}
