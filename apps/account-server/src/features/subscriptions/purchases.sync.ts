import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { memberIdOfCustomer } from '../payments/customers/customers.queries.ts'
import { customerOfMember, memberOfCustomer } from '../payments/customers/customers.sync.ts'
import { type PurchasesJob, purchasesQueue } from '../session/purchases.writes.ts'
import { syncInvoiceOfSubscription, syncSubscription } from './subscriptions.sync.ts'

/** A customer of the card provider has changed: one who is nobody here may be somebody now. */
export async function syncCustomer(deps: Deps, customerId: string): Promise<void> {
  if (await memberIdOfCustomer(deps.db, customerId)) return
  if (await memberOfCustomer(deps, customerId)) await syncPurchases(deps, customerId)
}

export async function purchasesJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<PurchasesJob>(purchasesQueue, ({ memberId }) => findPurchases(deps, memberId))
}

/** What a member bought before the first sign-in, with the address that is verified now. */
export async function findPurchases(deps: Deps, memberId: string): Promise<void> {
  const member = await memberRow(deps.db, { id: memberId })
  if (!member?.emailVerified) return
  const customerId = await customerOfMember(deps, member)
  if (customerId) await syncPurchases(deps, customerId)
}

async function syncPurchases(deps: Deps, customerId: string): Promise<void> {
  for (const id of await deps.cards.invoiceIdsOf(customerId)) await syncInvoiceOfSubscription(deps, id)
  for (const id of await deps.cards.subscriptionIdsOf(customerId)) await syncSubscription(deps, id)
}
