import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'

export const defaultAddressQueue = 'addresses.default'

/** What a job carries: whose default address is another one, or has changed. */
export interface DefaultAddressJob {
  memberId: string
}

/** Tells whoever follows the default address, in the transaction that made or changed it. */
export function tellDefault(jobs: Deps['jobs'], tx: Tx, { id }: Pick<Member, 'id'>): Promise<void> {
  return jobs.send(tx, defaultAddressQueue, { memberId: id } satisfies DefaultAddressJob)
}
