import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { syncInvoice } from '../orders/orders.sync.ts'
import { syncRefundsOfInvoice, unpublished } from '../orders/refunds.sync.ts'
import { addressSubject } from '../payments/customers/account-reference.rules.ts'
import { type LinkDeps, linkCustomersOf, linkDeps, ownerOfCustomer } from '../payments/customers/customers.sync.ts'
import { raiseSameCards } from '../payments/customers/same-cards.ts'
import { waitingForAddress } from '../payments/unmatched/unmatched.queries.ts'
import { type PurchasesJob, purchasesQueue } from '../session/purchases.writes.ts'
import { knownSubscriptions } from './known-subscriptions.queries.ts'
import { giveToProven } from './ownership/give-to-proven.ts'
import { proveSameCards } from './ownership/same-card-purchases.ts'
import { findPaypalSubscription } from './paypal-subscriptions.sync.ts'
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
  if (deps.config.CARD_PROVIDER !== 'none') await findCardPurchases(deps, member)
  if (deps.config.PAYPAL === 'none') return
  for (const { objectId } of await waitingAt(deps, member, 'paypal')) await findPaypalSubscription(deps, objectId)
}

async function findCardPurchases(deps: Deps, member: Found): Promise<void> {
  const waiting = await waitingAt(deps, member, 'card')
  // The provider does not find those whose address was typed in other letters.
  for (const customerId of new Set(waiting.map((row) => row.customerId))) {
    await ownerOfCustomer(linksFor(deps, member), customerId)
  }
  const { linked, others } = await linkCustomersOf({ ...deps, ...linkDeps(deps), cards: deps.cards }, member)
  // Before what they bought is read: an add-on is joined to what it belongs to only if both are as certainly the member's.
  await raiseSameCards({ ...deps, now: deps.clock() }, { memberId: member.id })
  await proveSameCards(deps, { memberId: member.id })
  for (const customerId of linked) await findPurchasesOf(deps, customerId)
  // Nothing was paid there: a trial is offered.
  for (const customerId of others) await findSubscriptionsOf(deps, customerId)
  // Still nobody's: a trial at such a customer, or what the shop has signed for the member at somebody else's.
  for (const { kind, objectId } of await waitingAt(deps, member, 'card')) {
    await (kind === 'invoice' ? findInvoice : syncSubscription)(deps, objectId)
  }
}

/** What the member themselves bought is looked for now. */
function linksFor(deps: Deps, member: Found): LinkDeps {
  const links = linkDeps(deps)
  return { ...links, onLinked: async (tx, id) => (id === member.id ? undefined : links.onLinked(tx, id)) }
}

type Found = Pick<NonNullable<Awaited<ReturnType<typeof memberRow>>>, 'id' | 'email'>

/** What was nobody's when it was read last, and names the member by their address. */
async function waitingAt({ db }: Deps, { email }: Found, provider: 'card' | 'paypal') {
  const waiting = await waitingForAddress(db, addressSubject(email))
  return waiting.filter((row) => row.provider === provider)
}

async function findPurchasesOf(deps: Deps, customerId: string): Promise<void> {
  await give(deps, customerId)
  for (const id of await deps.cards.invoiceIdsOf(customerId)) await findInvoice(deps, id)
  await findSubscriptionsOf(deps, customerId)
}

async function findInvoice(deps: Deps, id: string): Promise<void> {
  await syncInvoice(deps, id, knownSubscriptions)
  // Of a refund, nobody was told then.
  await syncRefundsOfInvoice(deps, id, unpublished)
}

async function findSubscriptionsOf(deps: Deps, customerId: string): Promise<void> {
  for (const id of await deps.cards.subscriptionIdsOf(customerId)) await syncSubscription(deps, id)
}
