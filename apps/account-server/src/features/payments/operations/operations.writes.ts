import { randomUUID } from 'node:crypto'
import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { AnyDefinition, NextOperation } from './definition.ts'
import { unresolvedOf } from './operations.queries.ts'
import { isBefore, isResolved, requestMs } from './operations.rules.ts'
import { type OperationRow, providerOperations } from './operations.tables.ts'

interface Insertion {
  definition: Pick<AnyDefinition, 'kind' | 'provider'>
  plan: NextOperation['plan']
  from: Pick<OperationRow, 'memberId' | 'address' | 'requestId'> &
    Partial<Pick<OperationRow, 'parentId' | 'isRequired'>>
  now: Date
  /** Whether the inserting process calls the provider right after the commit. */
  isCalled: boolean
}

/** Under the member's lock: later than every other operation of the member, whatever the clocks of two servers show. */
function nextCreatedAt(memberId: string, now: Date) {
  const { createdAt } = providerOperations
  const last = sql`select max(${createdAt}) from ${providerOperations} where ${eq(providerOperations.memberId, memberId)}`
  return sql`greatest(${now.toISOString()}::timestamptz, (${last}) + interval '1 millisecond')`
}

/** Inserts an operation before its call, which follows the commit. The caller holds the member's lock. */
export async function insertOperation(
  tx: Tx,
  { definition: { kind, provider }, plan, from, now, isCalled }: Insertion,
): Promise<OperationRow> {
  const { subject, input, objectId = null } = plan
  const [row] = await tx
    .insert(providerOperations)
    .values({
      ...from,
      id: randomUUID(),
      kind,
      provider: plan.provider ?? provider,
      subject,
      input,
      objectId,
      status: 'pending',
      createdAt: nextCreatedAt(from.memberId, now),
      calledAt: isCalled ? now : null,
      nextCheckAt: new Date(now.getTime() + (isCalled ? requestMs : 0)),
    })
    .returning()
  if (!row) throw new Error('the operation was not stored')
  return row
}

/**
 * Who makes the call: this process, another one (or it is resolved already), or nobody until an earlier operation is resolved.
 */
type Claim = { is: 'ours'; row: OperationRow } | { is: 'not_ours' } | { is: 'too_early' }

/** Claims the call of a child operation, for as long as a request may take. */
export async function claimCall(
  { db, wallClock }: Deps,
  definition: Pick<AnyDefinition, 'excludes' | 'subjectOf'>,
  row: OperationRow,
): Promise<Claim> {
  const now = wallClock()
  return db.transaction(async (tx): Promise<Claim> => {
    const [current] = await tx.select().from(providerOperations).where(eq(providerOperations.id, row.id)).for('update')
    const isUntouched = current && !isResolved(current) && current.calledAt?.getTime() === row.calledAt?.getTime()
    if (!isUntouched) return { is: 'not_ours' }
    const kinds = (definition.excludes?.() ?? []).map(({ kind }) => kind)
    const subject = definition.subjectOf ? row.subject : undefined
    const unresolved = await unresolvedOf(tx, { id: row.memberId }, { kinds, subject })
    if (unresolved.some((other) => isBefore(other, row))) return { is: 'too_early' }
    const [claimed] = await tx
      .update(providerOperations)
      .set({ calledAt: now, nextCheckAt: new Date(now.getTime() + requestMs) })
      .where(eq(providerOperations.id, row.id))
      .returning()
    return claimed ? { is: 'ours', row: claimed } : { is: 'not_ours' }
  })
}
