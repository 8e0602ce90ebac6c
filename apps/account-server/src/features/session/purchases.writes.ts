import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'

/** Looks for what a member bought before this account was theirs. */
export const purchasesQueue = 'members.purchases'

export interface PurchasesJob {
  memberId: string
}

export async function enqueuePurchases(
  { jobs, config }: Pick<Deps, 'jobs' | 'config'>,
  tx: Tx,
  memberId: string,
): Promise<void> {
  if (config.CARD_PROVIDER === 'none' && config.PAYPAL === 'none') return
  const job: PurchasesJob = { memberId }
  await jobs.send(tx, purchasesQueue, job, memberId)
}
