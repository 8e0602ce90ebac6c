import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { problemOf } from '../payments/declines.rules.ts'
import { unresolvedOf } from '../payments/operations/operations.queries.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import { giveUpOperation } from '../payments/operations/perform-operation.ts'
import { runOperation, waitForChildren } from '../payments/operations/run-operation.ts'
import { addCard as addition } from './card-additions.operations.ts'
import type { Addition } from './card-place.ts'
import { newCardReason } from './cards.rules.ts'
import { storedCards } from './member-cards.ts'

interface Request extends Addition {
  idempotencyKey: IdempotencyKey | undefined
}

/** Puts a payment method on file (000 §4). Requests with the same key or the same payment method put it there once. */
export async function createSetupIntent(deps: Deps, member: Member, { idempotencyKey, ...asked }: Request) {
  const run = await addCard(deps, { member, asked, idempotencyKey })
  if (run.is === 'nothing_to_do') throw new Error('a card is always added or refused')
  const { operation, found } = run
  const { status, objectId } = operation
  if (status !== 'succeeded' && status !== 'requires_action') throw refusalOf(operation)
  if (status === 'succeeded') await waitForChildren(deps, operation)
  // This request did not add it, so it may have been removed since.
  if (run.is === 'joined' && run.by === 'subject' && status === 'succeeded') await expectOnFile(deps, member, operation)
  return { id: objectId ?? '', status, secret: found?.secret ?? '' }
}

type AddRequest = Parameters<typeof runOperation<Addition, unknown, unknown>>[2]

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

export function needsAuthentication({ status }: OperationRow): boolean {
  return status === 'requires_action'
}

/** @throws Problem `not_found`: it was removed since */
async function expectOnFile(deps: Deps, member: Member, { subject }: OperationRow): Promise<void> {
  const { cards } = await storedCards(deps, member)
  if (!cards.some(({ id }) => id === subject)) throw new Problem('not_found')
}

/** Why a change of a card, or a new one, was refused. */
export function refusalOf(operation: OperationRow): Problem {
  const { status, problem } = operation
  if (status === 'pending' || status === 'requires_action') return new Problem('card_outcome_unknown')
  const code = problem ?? 'card_provider_unavailable'
  if (code === 'card_provider_unavailable') return new Problem(code, { retryAfter: 5 })
  return problemOf(operation, code, newCardReason)
}
