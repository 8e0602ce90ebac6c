import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { syncInvoice } from '../orders/orders.sync.ts'
import { syncRefundsOfInvoice, unpublished } from '../orders/refunds.sync.ts'
import { linkCustomersOf, linkDeps, ownerOfCustomer } from '../payments/customers/customers.sync.ts'
import { raiseSameCards } from '../payments/customers/same-cards.ts'
import { type PurchasesJob, purchasesQueue } from '../session/purchases.writes.ts'
import { knownSubscriptions } from './known-subscriptions.queries.ts'
import { giveToProven } from './ownership/give-to-proven.ts'
import { proveSameCards } from './ownership/same-card-purchases.ts'
import { syncSubscription } from './subscriptions.sync.ts'

/**
 * A customer of the card provider has changed: one who is nobody here, or whom an address alone made a member's, may be somebody now. Their
 * purchases follow as a job.
 */
export async function syncCustomer(deps: Deps, customerId: string): Promise<void> {
  await ownerOfCustomer(linkDeps(deps), customerId)
  await give(deps, customerId)
}

async function give(deps: Deps, customerId: string): Promise<void> {
  await giveToProven({ ...deps, ...linkDeps(deps), cards: deps.cards }, customerId)
}

export async function purchasesJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<PurchasesJob>(purchasesQueue, ({ memberId }) => findPurchases(deps, memberId))
}

/** What a member bought before the first sign-in, with the address that is verified now, or before their customers were linked. */
export async function findPurchases(deps: Deps, memberId: string): Promise<void> {
  const member = await memberRow(deps.db, { id: memberId })
  if (!member?.emailVerified) return
  const { linked, others } = await linkCustomersOf({ ...deps, ...linkDeps(deps), cards: deps.cards }, member)
  // Before what they bought is read: an add-on is joined to what it belongs to only if both are as certainly the member's.
  await raiseSameCards({ ...deps, now: deps.clock() }, { memberId })
  await proveSameCards(deps, { memberId })
  for (const customerId of linked) await findPurchasesOf(deps, customerId)
  // Nothing was paid there: a trial is offered.
  for (const customerId of others) await findSubscriptionsOf(deps, customerId)
}

async function findPurchasesOf(deps: Deps, customerId: string): Promise<void> {
  await give(deps, customerId)
  for (const id of await deps.cards.invoiceIdsOf(customerId)) {
    await syncInvoice(deps, id, knownSubscriptions)
    // Of a refund, nobody was told then.
    await syncRefundsOfInvoice(deps, id, unpublished)
  }
  await findSubscriptionsOf(deps, customerId)
}

async function findSubscriptionsOf(deps: Deps, customerId: string): Promise<void> {
  for (const id of await deps.cards.subscriptionIdsOf(customerId)) await syncSubscription(deps, id)
}
