import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'

export const addressSyncQueue = 'addresses.sync'

/** Delays in seconds, in total less than an hour: what still fails is found by the hourly job. */
export const addressSyncRetries = { retryLimit: 6, retryDelay: 10, retryDelayMax: 600 }

/** The member whose default address was set or changed. */
export interface AddressSyncJob {
  memberId: string
}

/** Syncs the default address to the provider's customer: call it in the transaction that set or changed it. */
export function enqueueAddressSync(jobs: Deps['jobs'], tx: Tx, { id }: Pick<Member, 'id'>): Promise<void> {
  return jobs.send(tx, addressSyncQueue, { memberId: id } satisfies AddressSyncJob, id)
}
