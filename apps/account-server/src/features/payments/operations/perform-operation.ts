import { setTimeout as pause } from 'node:timers/promises'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { releaseKeysOf } from '../../../db/idempotency-keys.writes.ts'
import { lockMember } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { ifKnown, ProviderFailure } from '../../../outside/provider-failure.ts'
import type { Definition, NextOperation, Operation, Outcome } from './definition.ts'
import { isResolved, isTooLateToCall } from './operations.rules.ts'
import { type OperationRow, providerOperations } from './operations.tables.ts'
import { claimCall, insertOperation } from './operations.writes.ts'

/** A definition of which the engine needs only the type of the provider's answer. */
export type Performable<Found> = Definition<unknown, unknown, unknown, Found>

export interface Performed<Found> {
  operation: OperationRow
  /** The provider's answer, if this process received it. */
  found: Found | undefined
}

/**
 * Calls the provider and applies its answer. After a lost answer the outcome is looked up, and the call is not repeated. While
 * the outcome is unknown, the operation is left to the reconciler.
 * @throws Problem `codes.unknown`
 */
export async function performOperation<Found>(
  deps: Deps,
  definition: Performable<Found>,
  row: OperationRow,
): Promise<Performed<Found>> {
  // This process was suspended after inserting the row: the reconciler may have ended it as never received.
  if (isTooLateToCall(row, deps.wallClock())) throw new Problem(definition.codes.unknown)
  try {
    const found = await definition.call(deps, inputRead(definition, row))
    return { operation: await resolveOperation(deps, definition, { row, found }), found }
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'unknown') return lookUpOrLeave(deps, definition, row)
    return { operation: await refuseOperation(deps, definition, { row, failure: error }), found: undefined }
  }
}

/** If the outcome cannot be found out, marks the check as due, so that a repeated request does not wait for this one. */
async function lookUpOrLeave<Found>(deps: Deps, definition: Performable<Found>, row: OperationRow) {
  try {
    return await lookUpOperation(deps, definition, row)
  } catch (error) {
    const { id, nextCheckAt } = providerOperations
    await deps.db
      .update(providerOperations)
      .set({ nextCheckAt: deps.wallClock() })
      .where(and(eq(id, row.id), eq(nextCheckAt, row.nextCheckAt)))
    throw error
  }
}

/** Looks up the outcome of an operation whose answer was lost. @throws Problem `codes.unknown` */
export async function lookUpOperation<Found>(
  deps: Deps,
  definition: Performable<Found>,
  row: OperationRow,
): Promise<Performed<Found>> {
  const found = await definition.find(deps, inputRead(definition, row)).catch(unknownAfter(definition))
  if (found === undefined) throw new Problem(definition.codes.unknown)
  return { operation: await resolveOperation(deps, definition, { row, found }), found }
}

/** Cancels what the customer left open, at the provider and here. @throws Problem `codes.unknown` */
export async function giveUpOperation<Found>(
  deps: Deps,
  definition: Performable<Found>,
  row: OperationRow,
): Promise<OperationRow> {
  if (!definition.giveUp) return row
  const found = await ifKnown(definition.giveUp(deps, inputRead(definition, row))).catch(unknownAfter(definition))
  // The provider does not know it any more: nothing is left to cancel.
  if (found === undefined) return endOperation(deps, row, { outcome: { status: 'failed' }, isFinal: false })
  return resolveOperation(deps, definition, { row, found })
}

/** A failure of this call says nothing about the earlier one, which may have been done. */
function unknownAfter({ codes }: Pick<Performable<unknown>, 'codes'>) {
  return (error: unknown): never => {
    throw error instanceof ProviderFailure ? new Problem(codes.unknown, { cause: error }) : error
  }
}

/** @throws ZodError if the definition no longer accepts the stored input */
export function inputRead({ input }: Pick<Performable<unknown>, 'input'>, row: OperationRow): Operation<unknown> {
  return { ...row, input: input.parse(row.input) }
}

/**
 * Applies the provider's answer in one transaction, once. The children are then begun here; the reconciler finishes what this
 * process does not.
 */
export async function resolveOperation<Found>(
  deps: Deps,
  definition: Performable<Found>,
  { row, found }: { row: OperationRow; found: Found },
): Promise<OperationRow> {
  const { changed, next } = await change(deps, row, async (tx, current, now) => {
    const outcome = await definition.apply(tx, inputRead(definition, current), { deps, found, now })
    // A failed operation becomes succeeded if the provider says so. Otherwise it stays failed, with the newest result (more
    // declines, say) and its children.
    const { result = current.result ?? {}, next = [] } = outcome
    return isResolved(current) && outcome.status !== 'succeeded' ? { ...endOf(current), result, next } : outcome
  })
  for (const child of next) await callChild(deps, child)
  return changed
}

function endOf({ status, problem, detail, declineCode }: OperationRow): Outcome {
  return {
    status,
    ...(problem !== null && { problem }),
    ...(detail !== null && { detail }),
    ...(declineCode !== null && { declineCode }),
  }
}

async function refuseOperation(
  deps: Deps,
  definition: Performable<unknown>,
  { row, failure }: { row: OperationRow; failure: ProviderFailure },
): Promise<OperationRow> {
  // The provider is not available now: a child is tried again later.
  if (row.parentId !== null && failure.kind === 'unavailable') throw failure
  const outcome = definition.refuse(failure, inputRead(definition, row), deps.wallClock())
  // A child is tried again until it is done.
  if (row.parentId !== null && outcome.status === 'failed') throw failure
  return endOperation(deps, row, { outcome, isFinal: failure.kind === 'refused' })
}

interface End {
  outcome: Outcome
  /** Final: a repeated request with the same key gets this outcome. Otherwise nothing was done, and the key is released. */
  isFinal: boolean
}

/** Ends an operation that has no object at the provider. */
export async function endOperation(deps: Deps, row: OperationRow, { outcome, isFinal }: End): Promise<OperationRow> {
  const { changed } = await change(deps, row, async (tx, current) => {
    if (isResolved(current)) return undefined
    if (!isFinal) await releaseKeysOf(tx, current.id)
    return outcome
  })
  return changed
}

/** An operation that follows from something, and is tried until it is done. */
export interface Child {
  row: OperationRow
  definition: Performable<unknown>
}

async function change(
  { db, wallClock }: Deps,
  { id, memberId }: OperationRow,
  outcomeOf: (tx: Tx, current: OperationRow, now: Date) => Promise<Outcome | undefined>,
): Promise<{ changed: OperationRow; next: readonly Child[] }> {
  return db.transaction(async (tx) => {
    // The member's lock keeps decisions consistent: they depend on this operation and its children.
    await lockMember(tx, { id: memberId })
    const [current] = await tx.select().from(providerOperations).where(eq(providerOperations.id, id)).for('update')
    if (!current) throw new Error('the operation is gone')
    const now = wallClock()
    if (isResolved(current) && current.status !== 'failed') return { changed: current, next: [] }
    const outcome = await outcomeOf(tx, current, now)
    if (!outcome) return { changed: current, next: [] }

    const { status, objectId, problem = null, detail = null, declineCode = null, result, givesUpAt } = outcome
    const isOpen = status === 'pending' || status === 'requires_action'
    const next = isResolved(current) ? await notYetFollowing(tx, current, outcome.next) : outcome.next
    const [changed] = await tx
      .update(providerOperations)
      .set({
        status,
        objectId: objectId ?? current.objectId,
        problem,
        detail,
        declineCode,
        result: result ?? current.result,
        givesUpAt: current.givesUpAt ?? givesUpAt ?? null,
        resolvedAt: isOpen ? null : ((current.status === status ? current.resolvedAt : null) ?? now),
      })
      .where(eq(providerOperations.id, id))
      .returning()
    if (!changed) throw new Error('the operation is gone')
    const children = { ...changed, parentId: changed.id, next: next ?? [], now }
    return { changed, next: await insertFollowUps(tx, children) }
  })
}

/** The children that an earlier outcome has not stored. */
async function notYetFollowing(tx: Tx, { id }: OperationRow, next: readonly NextOperation[] = []) {
  const { kind, subject, parentId } = providerOperations
  const stored = await tx.select({ kind, subject }).from(providerOperations).where(eq(parentId, id))
  const isStored = ({ definition, plan }: NextOperation) =>
    stored.some((child) => child.kind === definition.kind && child.subject === plan.subject)
  return next.filter((one) => !isStored(one))
}

interface FollowUps extends Pick<OperationRow, 'memberId' | 'address' | 'requestId'> {
  /** The operation, or the transfer, whose outcome makes them necessary. */
  parentId: string
  next: readonly NextOperation[]
  now: Date
}

/** Stores what must follow at a provider, in the transaction of what was decided. The caller holds the member's lock. */
export async function insertFollowUps(
  tx: Tx,
  { memberId, address, requestId, parentId, next, now }: FollowUps,
): Promise<Child[]> {
  const children: Child[] = []
  for (const { definition, plan, isRequired = true } of next) {
    const from = { memberId, address, requestId, parentId, isRequired }
    children.push({ definition, row: await insertOperation(tx, { definition, plan, from, now, isCalled: false }) })
  }
  return children
}

/** Begins them after the commit, one after another; what is left after a moment is the reconciler's. */
export async function callFollowUps(deps: Deps, children: readonly Child[], { withinMs }: { withinMs: number }) {
  const deadline = Date.now() + withinMs
  for (const child of children) if (Date.now() < deadline) await callChild(deps, child)
}

/** Milliseconds to wait for earlier operations that exclude this one. */
const earlierMs = 3000

/** A child that cannot be finished now is left to the reconciler; its parent is done. */
async function callChild(deps: Deps, { row, definition }: Child): Promise<void> {
  const deadline = Date.now() + earlierMs
  try {
    let claim = await claimCall(deps, definition, row)
    while (claim.is === 'too_early' && Date.now() < deadline) {
      await pause(100)
      claim = await claimCall(deps, definition, row)
    }
    if (claim.is === 'ours') await performOperation(deps, definition, claim.row)
  } catch (error) {
    deps.logger.warn({ err: error, operationId: row.id, kind: row.kind }, 'operation is left to the reconciler')
  }
}
