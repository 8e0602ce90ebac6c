import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'

export const addressSyncQueue = 'addresses.sync'

/** What a job carries: whose default address is another one, or has changed. */
export interface AddressSyncJob {
  memberId: string
}

/** The provider's customer is to have the default address: called in the transaction that made or changed it. */
export function enqueueAddressSync(jobs: Deps['jobs'], tx: Tx, { id }: Pick<Member, 'id'>): Promise<void> {
  return jobs.send(tx, addressSyncQueue, { memberId: id } satisfies AddressSyncJob)
}
