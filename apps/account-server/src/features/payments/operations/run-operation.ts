import { setTimeout as pause } from 'node:timers/promises'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { claimKey, linkKeyToOperation, operationOfKey } from '../../../db/idempotency-keys.writes.ts'
import { lockCaller } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { checkOperation } from './check-operation.ts'
import type { AnyDefinition, Definition } from './definition.ts'
import { operationById, operationCounts, unresolvedChildren, unresolvedOf } from './operations.queries.ts'
import { isResolved, isRunning } from './operations.rules.ts'
import type { OperationRow } from './operations.tables.ts'
import { insertOperation } from './operations.writes.ts'
import { lookUpOperation, type Performable, performOperation } from './perform-operation.ts'

interface Request<Asked> {
  member: Member
  asked: Asked
  idempotencyKey?: IdempotencyKey | undefined
}

/** The outcome of a request. The operation may have failed: the caller reports that in its own words. */
export type Run<Facts, Found> =
  /** Done by this request, as decided from `facts`. */
  | { is: 'performed'; facts: Facts; operation: OperationRow; found: Found | undefined }
  /** Done by an earlier request: with the same key, or about the same subject. */
  | { is: 'joined'; by: 'key' | 'subject'; operation: OperationRow; found: Found | undefined }
  | { is: 'nothing_to_do'; facts: Facts }

/** Milliseconds to wait for an operation that excludes this one, and for one that the request joins. */
const excludedMs = 5000
const joinMs = 12_000

/**
 * Does something at a provider once: joins the operation of the same idempotency key, or reads, decides under the member's
 * lock, stores the operation, calls the provider and applies its answer.
 * @throws Problem of the definition's `codes`, and what its `decide` throws
 */
export async function runOperation<Asked, Facts, Found>(
  deps: Deps,
  definition: Definition<Asked, Facts, unknown, Found>,
  request: Request<Asked>,
): Promise<Run<Facts, Found>> {
  const operationId = await operationOfKey(deps.db, request.member, request.idempotencyKey)
  if (operationId) return join(deps, definition, { operationId, by: 'key' })

  const deadline = Date.now() + excludedMs
  const subject = definition.subjectOf?.(request.asked)
  for (;;) {
    const before = await countsOrOwn(deps, definition, { ...request, subject, deadline })
    if ('operationId' in before) return join(deps, definition, { ...before, by: 'key' })
    const facts = await readFacts(deps, definition, request)
    const begun = await begin(deps, definition, { ...request, subject, facts, before })
    if (begun.is === 'joined') return join(deps, definition, begun)
    if (begun.is === 'nothing_to_do') return { is: 'nothing_to_do', facts }
    if (begun.is === 'new') {
      return { is: 'performed', facts, ...(await performOperation(deps, definition, begun.row)) }
    }
    if (Date.now() > deadline) throw excluded(definition.codes)
  }
}

/** Of all operations that exclude this one; a changed count shows that another came in between. */
type Counts = Awaited<ReturnType<typeof operationCounts>>

interface Waiting {
  member: Member
  /** What it is about, if only operations about the same exclude it. */
  subject: string | undefined
  deadline: number
}

/** What excludes a request may be the operation of its own key, begun meanwhile. */
async function countsOrOwn<Asked>(
  deps: Deps,
  definition: AnyDefinition,
  { member, idempotencyKey, ...waiting }: Omit<Request<Asked>, 'asked'> & Omit<Waiting, 'member'>,
): Promise<Counts | { operationId: string }> {
  try {
    return await waitForOthers(deps, definition, { member, ...waiting })
  } catch (error) {
    const operationId = await operationOfKey(deps.db, member, idempotencyKey)
    if (!operationId) throw error
    return { operationId }
  }
}

/** Waits for operations that a request runs, and checks those that no request runs any more. */
async function waitForOthers(
  deps: Deps,
  { excludes, excludesRunning, codes }: AnyDefinition,
  { member, subject, deadline }: Waiting,
): Promise<Counts> {
  const kinds = kindsOf({ excludes, excludesRunning }, subject)
  for (;;) {
    const counts = await operationCounts(deps.db, member, kinds)
    if (counts.unresolved === 0) return counts
    // The later ones wait for the first.
    const [first] = await unresolvedOf(deps.db, member, kinds)
    if (Date.now() > deadline) throw excluded(codes)
    if (!first || isRunning(first, deps.wallClock())) await pause(100)
    else if (!(await isResolvedOrRunning(deps, excludes?.() ?? [], first))) throw excluded(codes)
  }
}

/** What holds up an operation. @param subject what it is about, if only operations about the same exclude it */
function kindsOf({ excludes, excludesRunning }: Excluding, subject: string | undefined) {
  const kinds = (excludes?.() ?? []).map(({ kind }) => kind)
  return { kinds, subject, ...(excludesRunning && { running: excludesRunning }) }
}

type Excluding = { [Key in 'excludes' | 'excludesRunning']?: AnyDefinition[Key] | undefined }

function excluded(codes: AnyDefinition['codes']): Problem {
  return new Problem(codes.excluded ?? 'overloaded', { retryAfter: 5 })
}

/** Checks an operation that no request runs; another process may have begun the same check meanwhile. */
async function isResolvedOrRunning(deps: Deps, definitions: readonly AnyDefinition[], row: OperationRow) {
  const definition = definitions.find(({ kind }) => kind === row.kind)
  if (definition) await checkOperation(deps, definition, row).catch(leaveToReconciler)
  const checked = await expected(deps, row.id)
  return isResolved(checked) || isRunning(checked, deps.wallClock())
}

function leaveToReconciler(error: unknown): void {
  if (!(error instanceof ProviderFailure || error instanceof Problem)) throw error
}

async function readFacts<Asked, Facts>(
  deps: Deps,
  { read, codes }: Definition<Asked, Facts, unknown, unknown>,
  { member, asked }: Request<Asked>,
): Promise<Facts> {
  try {
    return await read(deps, member, asked)
  } catch (error) {
    throw error instanceof ProviderFailure ? new Problem(codes.unavailable, { retryAfter: 5, cause: error }) : error
  }
}

type Begun =
  | { is: 'new'; row: OperationRow }
  | { is: 'joined'; operationId: string; by: 'key' | 'subject' }
  | { is: 'nothing_to_do' }
  /** Another operation came in between: the facts are outdated. */
  | { is: 'outdated' }

interface Beginning<Asked, Facts> extends Request<Asked>, Pick<Waiting, 'subject'> {
  facts: Facts
  before: Counts
}

function begin<Asked, Facts>(
  deps: Deps,
  definition: Definition<Asked, Facts, unknown, unknown>,
  { member, asked, subject, idempotencyKey, facts, before }: Beginning<Asked, Facts>,
): Promise<Begun> {
  return deps.db.transaction(async (tx): Promise<Begun> => {
    await lockCaller(tx, member)
    const { all, unresolved } = await operationCounts(tx, member, kindsOf(definition, subject))
    if (all !== before.all || unresolved !== before.unresolved) return { is: 'outdated' }

    const now = deps.wallClock()
    const claim = await claimKey(tx, member, { idempotencyKey, now })
    if (!claim.isNew && claim.operationId) return { is: 'joined', operationId: claim.operationId, by: 'key' }
    const decision = await definition.decide(tx, { deps, member, asked, facts, now })
    if (decision.is === 'nothing_to_do') return decision
    if (decision.is === 'same') {
      const { operationId } = decision
      await linkKeyToOperation(tx, member, { idempotencyKey, operationId })
      return { is: 'joined', operationId, by: 'subject' }
    }
    const { address, requestId, id: memberId } = member
    const from = { memberId, address, requestId }
    const row = await insertOperation(tx, { definition, plan: decision, from, now, isCalled: true })
    await linkKeyToOperation(tx, member, { idempotencyKey, operationId: row.id })
    return { is: 'new', row }
  })
}

/** Waits for the request that runs the operation, then looks up the outcome; never repeats the call. */
async function join<Found>(
  deps: Deps,
  definition: Performable<Found>,
  { operationId, by }: { operationId: string; by: 'key' | 'subject' },
): Promise<Run<never, Found>> {
  const deadline = Date.now() + joinMs
  let operation = await expected(deps, operationId)
  while (isRunning(operation, deps.wallClock()) && Date.now() < deadline) {
    await pause(150)
    operation = await expected(deps, operationId)
  }
  if (isResolved(operation)) return { is: 'joined', by, operation, found: undefined }
  return { is: 'joined', by, ...(await lookUpOperation(deps, definition, operation)) }
}

/** Milliseconds that an answer waits for child operations, which another process may be running. */
const childrenMs = 3000

/** Waits for the required children, so that an answer shows their effect; the reconciler finishes what takes longer. */
export async function waitForChildren({ db }: Deps, { id }: OperationRow): Promise<void> {
  const deadline = Date.now() + childrenMs
  while (Date.now() < deadline && (await unresolvedChildren(db, id)) > 0) await pause(50)
}

async function expected({ db }: Deps, operationId: string): Promise<OperationRow> {
  const operation = await operationById(db, operationId)
  if (!operation) throw new Error('the operation is gone')
  return operation
}
