import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'

export const addressSyncQueue = 'addresses.sync'

/** In seconds, for less than an hour: what fails longer is found and sent again by the hour. */
export const addressSyncRetries = { retryLimit: 6, retryDelay: 10, retryDelayMax: 600 }

/** What a job carries: whose default address is another one, or has changed. */
export interface AddressSyncJob {
  memberId: string
}

/** The provider's customer is to have the default address: called in the transaction that made or changed it. */
export function enqueueAddressSync(jobs: Deps['jobs'], tx: Tx, { id }: Pick<Member, 'id'>): Promise<void> {
  return jobs.send(tx, addressSyncQueue, { memberId: id } satisfies AddressSyncJob, id)
}
