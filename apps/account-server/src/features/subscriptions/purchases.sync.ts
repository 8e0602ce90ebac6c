import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { memberRow } from '../../db/members.queries.ts'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { applyInvoice } from '../orders/orders.sync.ts'
import { customerOfMember, memberOfCustomer } from '../payments/customers/customers.sync.ts'
import { type PurchasesJob, purchasesQueue } from '../session/purchases.writes.ts'
import { isRecent } from './recent.rules.ts'
import { syncSubscription } from './subscriptions.sync.ts'

/** A customer of the card provider has changed: one who is nobody here may be somebody now. Their purchases follow as a job. */
export async function syncCustomer(deps: Deps, customerId: string): Promise<void> {
  await memberOfCustomer(deps, customerId)
}

export async function purchasesJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<PurchasesJob>(purchasesQueue, ({ memberId }) => findPurchases(deps, memberId))
}

/** What a member bought before the first sign-in, with the address that is verified now, or before their customer was linked. */
export async function findPurchases(deps: Deps, memberId: string): Promise<void> {
  const member = await memberRow(deps.db, { id: memberId })
  if (!member?.emailVerified) return
  const customerId = await customerOfMember(deps, member)
  if (!customerId) return
  for (const id of await deps.cards.invoiceIdsOf(customerId)) await syncPurchasedInvoice(deps, { id, memberId })
  for (const id of await deps.cards.subscriptionIdsOf(customerId)) await syncSubscription(deps, id)
}

/** A webhook may bring a recent invoice as well: both treat it alike. Older ones keep the provider's number and document. */
async function syncPurchasedInvoice(deps: Deps, { id, memberId }: { id: string; memberId: string }): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const invoice = await ifKnown(deps.cards.readInvoice(id))
  if (!invoice) return
  const isTakenOver = !isRecent(invoice.finalizedAt ?? invoice.createdAt, deps.clock())
  await applyInvoice(deps, invoice, { syncNumber, isTakenOver, memberId })
}
