import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import type { Definitions } from './definition.ts'
import { operationsToCheck } from './operations.queries.ts'
import { isBefore, isFresh, nextCheckAt } from './operations.rules.ts'
import { type OperationRow, providerOperations } from './operations.tables.ts'
import { claimCall } from './operations.writes.ts'
import {
  endOperation,
  giveUpOperation,
  inputRead,
  type Performable,
  performOperation,
  resolveOperation,
} from './perform-operation.ts'

/** A job may run for a minute, including the calls of the last checks. The next job continues. */
const budgetMs = 15_000
const concurrency = 5
const mostChecks = 1000
/** So that a member with many holds up no other. */
const mostOfMember = 20

/** Resolves operations that no request runs any more: after a crash, a lost answer, or a closed page. */
export async function checkOperations(deps: Deps, definitions: Definitions): Promise<void> {
  const deadline = Date.now() + budgetMs
  const rows = await operationsToCheck(deps.db, deps.wallClock(), mostChecks)
  const left = [...Map.groupBy(rows, ({ memberId }) => memberId).values()]
  const checkMembers = async () => {
    for (let rows = left.shift(); rows && Date.now() < deadline; rows = left.shift()) {
      // An operation may have to wait for an earlier one of the same member.
      const inOrder = rows.toSorted((one, other) => (isBefore(one, other) ? -1 : 1)).slice(0, mostOfMember)
      for (const row of inOrder) if (Date.now() < deadline) await checkOne(deps, definitions, row)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, checkMembers))
}

/** A failure delays no other operation, now or in the next round. */
async function checkOne(deps: Deps, definitions: Definitions, row: OperationRow): Promise<void> {
  const details = { operationId: row.id, kind: row.kind }
  try {
    await deps.db
      .update(providerOperations)
      .set({ nextCheckAt: nextCheckAt(row, deps.wallClock()) })
      .where(eq(providerOperations.id, row.id))
    // Another version of this program may have written a kind that this one does not know.
    const definition = new Map(Object.entries(definitions)).get(row.kind)
    if (definition) await checkOperation(deps, definition, row)
    else deps.logger.error(details, 'no definition for this kind of provider operation')
  } catch (error) {
    const isLate = row.parentId !== null && row.isRequired && !isFresh({ calledAt: row.createdAt }, deps.wallClock())
    deps.logger[isLate ? 'error' : 'warn']({ err: error, ...details }, 'operation is not resolved yet')
  }
}

/** Asks the provider for the outcome of an operation, and ends it if it has ended there. */
export async function checkOperation(deps: Deps, definition: Performable<unknown>, row: OperationRow): Promise<void> {
  const now = deps.wallClock()
  if (row.calledAt === null) return callAgain(deps, definition, row)
  if (row.status === 'requires_action' && row.givesUpAt !== null && row.givesUpAt <= now) {
    await giveUpOperation(deps, definition, row)
    return
  }
  const found = await ifKnown(definition.find(deps, inputRead(definition, row)))
  if (found !== undefined) {
    await resolveOperation(deps, definition, { row, found })
    return
  }
  if (isFresh(row, now)) return
  // The provider never received it. A child is called again.
  if (row.parentId !== null) await callAgain(deps, definition, row)
  else await endOperation(deps, row, { outcome: { status: 'failed' }, isFinal: false })
}

async function callAgain(deps: Deps, definition: Performable<unknown>, row: OperationRow): Promise<void> {
  const claim = await claimCall(deps, definition, row)
  if (claim.is === 'ours') await performOperation(deps, definition, claim.row)
}
