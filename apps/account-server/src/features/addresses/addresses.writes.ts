import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { addresses } from './addresses.tables.ts'

export const defaultAddressQueue = 'addresses.default'

/** What a job carries: whose default address is another one, or has changed. */
export interface DefaultAddressJob {
  memberId: string
}

/** Tells whoever follows the default address, in the transaction that made or changed it. */
export function tellDefault(jobs: Deps['jobs'], tx: Tx, { id }: Pick<Member, 'id'>): Promise<void> {
  return jobs.send(tx, defaultAddressQueue, { memberId: id } satisfies DefaultAddressJob)
}

/** For what cannot tell by itself: the members' default addresses are told of within the hour. */
export async function leaveUntold(tx: Tx, memberIds: readonly string[]): Promise<void> {
  await tx
    .update(addresses)
    .set({ isUntold: true })
    .where(and(inArray(addresses.memberId, [...memberIds]), addresses.isDefault))
}

/** Ids of members whose default address is left untold, for whom tells them in this transaction. */
export async function takeUntold(tx: Tx, limit: number): Promise<string[]> {
  const untold = await tx
    .select({ id: addresses.id, memberId: addresses.memberId })
    .from(addresses)
    .where(eq(addresses.isUntold, true))
    .limit(limit)
    .for('update', { skipLocked: true })
  const ids = untold.map(({ id }) => id)
  await tx.update(addresses).set({ isUntold: false }).where(inArray(addresses.id, ids))
  return untold.map(({ memberId }) => memberId)
}
