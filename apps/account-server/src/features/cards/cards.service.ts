import type { CardEdit, CardList } from '@atrium/contract/cards.ts'
import { stateCountry } from '@atrium/contract/cards.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { Holder, StoredCards } from '../../outside/card-provider/cards.ts'
import { statesOf } from '../addresses/states.rules.ts'
import { problemOf } from '../payments/declines.rules.ts'
import { operationOfObject, unresolvedOf } from '../payments/operations/operations.queries.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { giveUpOperation, lookUpOperation } from '../payments/operations/perform-operation.ts'
import { type Run, runOperation, waitForChildren } from '../payments/operations/run-operation.ts'
import { countryList, isCountry } from '../profile/countries.rules.ts'
import { addCard as addition } from './card-additions.operations.ts'
import * as changes from './card-changes.operations.ts'
import type { Removal } from './card-removal.rules.ts'
import { cardListFrom, newCardReason } from './cards.rules.ts'
import { cardList, storedCards } from './member-cards.ts'

/** The content of the edit dialog. */
export async function cardDetail(deps: Deps, member: Member, { id, lang }: { id: string; lang: LocaleCode }) {
  const { cards } = await storedCards(deps, member)
  const card = cards.find((one) => one.id === id)
  if (!card) throw new Problem('not_found')

  const isNamed = card.firstName !== '' || card.lastName !== ''
  const { firstName, lastName } = isNamed ? card : member
  return {
    detail: {
      countryList: countryList(lang),
      usaStateList: [...statesOf(stateCountry)],
      billingDetails: { address: card.address },
      metadata: { firstName, lastName },
    },
  }
}

interface Addition {
  paymentMethodId: string
  idempotencyKey: IdempotencyKey | undefined
}

/** Puts a payment method on file (000 §4). Requests with the same key or the same payment method put it there once. */
export async function createSetupIntent(deps: Deps, member: Member, { paymentMethodId, idempotencyKey }: Addition) {
  const run = await addCard(deps, { member, asked: { paymentMethodId }, idempotencyKey })
  if (run.is === 'nothing_to_do') throw new Error('a card is always added or refused')
  const { operation, found } = run
  const { status, objectId } = operation
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  if (status === 'succeeded') await waitForChildren(deps, operation)
  // This request did not add it, so it may have been removed since.
  if (run.is === 'joined' && run.by === 'subject' && status === 'succeeded') await expectOnFile(deps, member, operation)
  return { id: objectId ?? '', status, secret: found?.secret ?? '' }
}

type AddRequest = Parameters<typeof runOperation<{ paymentMethodId: string }, unknown, unknown>>[2]

/** At the limit, cancels authentications that were left open and tries again. */
async function addCard(deps: Deps, request: AddRequest) {
  try {
    return await runOperation(deps, addition, request)
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'card_limit')) throw error
    const open = (await unresolvedOf(deps.db, request.member, { kinds: ['card.add'] })).filter(needsAuthentication)
    if (open.length === 0) throw error
    for (const row of open) await cancelOpen(deps, row)
    return runOperation(deps, addition, request)
  }
}

/** @throws Problem `card_provider_unavailable`: the new card was not sent yet */
async function cancelOpen(deps: Deps, row: OperationRow): Promise<void> {
  try {
    await giveUpOperation(deps, addition, row)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('card_provider_unavailable', { retryAfter: 5, cause: error })
  }
}

function needsAuthentication({ status }: OperationRow): boolean {
  return status === 'requires_action'
}

/** @throws Problem `not_found`: it was removed since */
async function expectOnFile(deps: Deps, member: Member, { subject }: OperationRow): Promise<void> {
  const { cards } = await storedCards(deps, member)
  if (!cards.some(({ id }) => id === subject)) throw new Problem('not_found')
}

/** After the bank's authentication, whatever its result. One that is still open is canceled. */
export async function finishSetupIntent(deps: Deps, member: Member, setupId: string) {
  const known = await operationOfObject(deps.db, 'card.add', setupId)
  if (known?.memberId !== member.id) throw new Problem('not_found')

  const ended = known.resolvedAt ? known : await finish(deps, known)
  if (ended.status !== 'succeeded') throw refusalOf(ended)
  await waitForChildren(deps, ended)
  return { ...(await cardList(deps, member)), paymentMethodId: ended.subject }
}

async function finish(deps: Deps, row: OperationRow): Promise<OperationRow> {
  const { operation } = await lookUpOperation(deps, addition, row)
  return needsAuthentication(operation) ? giveUpOperation(deps, addition, operation) : operation
}

/** Replaces the holder (000 §7). */
export async function updateCard(deps: Deps, member: Member, { id, edit }: { id: string; edit: CardEdit }) {
  const asked = { paymentMethodId: id, holder: holderFrom(edit) }
  const run = await runOperation(deps, changes.updateCard, { member, asked })
  const updated = run.is === 'nothing_to_do' ? undefined : run.found
  return listAfter(deps, run, ({ cards, defaultId }) => ({
    cards: cards.map((card) => (updated && card.id === id ? updated : card)),
    defaultId,
  }))
}

export async function setDefaultCard(deps: Deps, member: Member, id: string): Promise<CardList> {
  const run = await runOperation(deps, changes.setDefaultCard, { member, asked: { paymentMethodId: id } })
  return listAfter(deps, run, ({ cards }) => ({ cards, defaultId: id }))
}

export async function removeCard(deps: Deps, member: Member, asked: Removal): Promise<CardList> {
  const { paymentMethodId, successorId } = asked
  const run = await runOperation(deps, changes.removeCard, { member, asked })
  return listAfter(deps, run, ({ cards, defaultId }) => ({
    cards: cards.filter(({ id }) => id !== paymentMethodId),
    defaultId: defaultId === paymentMethodId ? (successorId ?? '') : defaultId,
  }))
}

/** Applies the change to the list it was decided from, so that the provider need not be asked again. */
function listAfter(
  { clock }: Deps,
  run: Run<{ stored: StoredCards }, unknown>,
  change: (stored: StoredCards) => StoredCards,
): CardList {
  if (run.is === 'nothing_to_do') return cardListFrom(run.facts.stored, clock())
  if (run.is === 'joined') throw new Error('a card change has no idempotency key and joins no operation')
  if (run.operation.status !== 'succeeded') throw refusalOf(run.operation)
  return cardListFrom(change(run.facts.stored), clock())
}

function refusalOf(operation: OperationRow): Problem {
  const { status, problem } = operation
  if (status === 'pending' || status === 'requires_action') return new Problem('card_outcome_unknown')
  const code = problem ?? 'card_provider_unavailable'
  if (code === 'card_provider_unavailable') return new Problem(code, { retryAfter: 5 })
  return problemOf(operation, code, newCardReason)
}

/** @throws Problem `invalid`: an unknown country, or not a state of the US */
function holderFrom({ country, state, firstname, lastname, address, city, zip }: CardEdit): Holder {
  if (!isCountry(country)) throw refusedField('country', 'purchase_location_required')
  const hasState = country === stateCountry
  if (hasState && !statesOf(country).some(({ code }) => code === state)) throw refusedField('state', 'state_required')
  return {
    firstName: firstname,
    lastName: lastname,
    address: { line1: address, city, state: hasState ? state : '', country, postalCode: zip },
  }
}
