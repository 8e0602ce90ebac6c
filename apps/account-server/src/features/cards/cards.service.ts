import type { CardEdit, CardList } from '@atrium/contract/cards.ts'
import { stateCountry } from '@atrium/contract/cards.ts'
import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { Holder, StoredCards } from '../../outside/card-provider/cards.ts'
import { statesOf } from '../addresses/states.rules.ts'
import { operationOfObject } from '../payments/operations/operations.queries.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { giveUpOperation, lookUpOperation } from '../payments/operations/perform-operation.ts'
import { type Run, runOperation, waitForChildren } from '../payments/operations/run-operation.ts'
import { countryList, isCountry } from '../profile/countries.rules.ts'
import { addCard as addition } from './card-additions.operations.ts'
import * as changes from './card-changes.operations.ts'
import type { Removal } from './card-removal.rules.ts'
import { cardListFrom } from './cards.rules.ts'
import { type CustomerCards, cardList, cardsOfAll, storedCards } from './member-cards.ts'
import { needsAuthentication, refusalOf } from './new-card.ts'

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
  run: Run<{ customerId: string; customers: readonly CustomerCards[] }, unknown>,
  change: (stored: StoredCards) => StoredCards,
): CardList {
  if (run.is === 'nothing_to_do') return cardListFrom(cardsOfAll(run.facts.customers), clock())
  if (run.is === 'joined') throw new Error('a card change has no idempotency key and joins no operation')
  if (run.operation.status !== 'succeeded') throw refusalOf(run.operation)
  const { customerId, customers } = run.facts
  const after = customers.map((one) => (one.customerId === customerId ? { ...one, ...change(one) } : one))
  return cardListFrom(cardsOfAll(after), clock())
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
