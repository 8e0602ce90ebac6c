import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import { isRecent } from '../../db/calendar.rules.ts'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { recordProvider } from '../activity/activity.writes.ts'
import { productsOfLines } from '../catalog/catalog.queries.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { linkOfCustomer } from '../payments/customers/customers.queries.ts'
import { linkDeps, ownerOfCustomer } from '../payments/customers/customers.sync.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
import { ownerNow } from '../payments/customers/owner-now.queries.ts'
import { forgetUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import { orderLinesOf, orderStatusOf } from './billed-orders.rules.ts'
import { personalFacts, recipient } from './buyer.queries.ts'
import { claimable, holderOf } from './held-numbers.queries.ts'
import { lineText } from './line-words.rules.ts'
import { nextNumber } from './number-series.writes.ts'
import { type KnownSubscriptions, namedOwner, ownerOfInvoice } from './order-owners.queries.ts'
import { ofLinkedOwner } from './order-owners.writes.ts'
import { invoicesQueue } from './orders.jobs.ts'
import { isSoldByPartner } from './orders.queries.ts'
import { orders } from './orders.tables.ts'
import { enqueueReceipt } from './receipts.writes.ts'
import { type NewReading, standingOf, storedInstead, storeUnmatchedOrder } from './unmatched-orders.ts'

type WriteDeps = Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'>

interface Needs extends WriteDeps {
  config: Pick<Deps['config'], 'SHOP_SIGNING_SECRET'>
  cards: Pick<Deps['cards'], 'invoicesAfter' | 'refundsOfInvoice' | 'readCustomer'>
}

/**
 * Fetches an invoice of the card provider and applies its state to its order. One from before the customer was linked is taken over,
 * whatever happens to it now.
 * @returns the provider's id of its subscription; empty if it has none
 */
export async function syncInvoice(deps: Deps, id: string, known: KnownSubscriptions): Promise<string> {
  const syncNumber = await nextSyncNumber(deps.db)
  const invoice = await ifKnown(deps.cards.readInvoice(id))
  if (!invoice) return ''
  const { ownerOf } = known
  const ofCustomer = await ownerOfCustomer(linkDeps(deps), invoice.customerId, await claimsOf(deps, invoice))
  const named = await namedOwner(deps.db, invoice, deps.config.SHOP_SIGNING_SECRET)
  const owner = await ownerOfInvoice(deps.db, invoice, { owner: ofCustomer, ownerOf, named })
  const link = await linkOfCustomer(deps.db, invoice.customerId)
  // An event may be some days late, and its customer linked by it.
  const isTakenOver = link !== undefined && !isRecent(finalizationOf(invoice), link.createdAt)
  const standing = await standingOf(deps, invoice, { owner, ...known })
  const outcome = await applyInvoice(deps, invoice, { syncNumber, isTakenOver, owner, ownerOf, named, ...standing })
  if (outcome === 'number_taken') deps.logger.error({ invoiceId: id, number: invoice.number }, numberTaken)
  return invoice.subscriptionId
}

/** What an invoice says about whose it is, and its subscription, whose it is in any case: an event about that may come later. */
async function claimsOf({ db, cards }: Deps, { customerId, subscriptionId, claim }: BilledInvoice) {
  const link = await linkOfCustomer(db, customerId)
  const asks = subscriptionId !== '' && !(link && isWhollyProven(link))
  const subscription = asks ? await ifKnown(cards.readSubscription(subscriptionId)) : undefined
  return [claim, subscription?.claim].filter((one) => one !== undefined)
}

const numberTaken = 'an invoice whose number another order has'

function finalizationOf({ finalizedAt, createdAt }: BilledInvoice): Date {
  return finalizedAt ?? createdAt
}

/**
 * Takes over every invoice that the card provider has; what was there before the customer was linked keeps the provider's number and
 * document. It may be interrupted and run again.
 */
export async function syncInvoices(deps: Needs & { say(sentence: string): void }, known: KnownSubscriptions) {
  const counts = { synced: 0, unmatched: 0 }
  let after: string | undefined
  do {
    const syncNumber = await nextSyncNumber(deps.db)
    const { invoices, hasMore } = await deps.cards.invoicesAfter(after)
    for (const invoice of invoices) {
      const { ownerOf } = known
      const link = await linkOfCustomer(deps.db, invoice.customerId)
      const named = link && (await namedOwner(deps.db, invoice, deps.config.SHOP_SIGNING_SECRET))
      const owner = await ownerOfInvoice(deps.db, invoice, { owner: link, ownerOf, named })
      const isTakenOver = link !== undefined && finalizationOf(invoice) < link.createdAt
      const standing = await standingOf(deps, invoice, { owner, ...known })
      const outcome = await applyInvoice(deps, invoice, { syncNumber, isTakenOver, owner, ownerOf, named, ...standing })
      if (outcome === 'no_member')
        deps.say(`${invoice.id}: customer ${invoice.customerId} is not a member’s, or an address alone says so`)
      if (outcome === 'number_taken') deps.say(`${invoice.id}: another order has its number, ${invoice.number}`)
      if (outcome === 'waiting')
        deps.say(`${invoice.id}: it bills again what was transferred: give the money back, and cancel it`)
      counts[outcome === 'done' ? 'synced' : 'unmatched'] += 1
    }
    after = hasMore ? invoices.at(-1)?.id : undefined
  } while (after)
  return counts
}

interface Reading extends NewReading {
  syncNumber: number
  /** It was paid, or asked for, before Atrium was there. */
  isTakenOver: boolean
  /** Whose it is, if it is new here; undefined: nobody is found. */
  owner: Owner | undefined
  /** Whether only an address says whose its subscription is: the buyer has nothing of the profile of whom it has made the Owner. */
  isOfTyped?: boolean
  /** Of the card provider's. */
  ownerOf?: KnownSubscriptions['ownerOf'] | undefined
  /** Whom it names itself. */
  named?: Owner | undefined
  /** Whether that is the owner of its stored subscription. */
  isOwnerStored?: boolean
  /** It has waited: that it is an order is news. */
  hasWaited?: boolean
}

/**
 * `number_taken`: an order of something else has the invoice's number, which a file brought. `waiting`: it is not an order yet.
 * `given_meanwhile`: it is not stored, since its subscription is somebody else's by now.
 */
export type Applied = 'done' | 'no_member' | 'number_taken' | 'waiting' | 'given_meanwhile'

/** Applies an invoice of any provider to its order, unless a later reading is stored already. */
export async function applyInvoice(
  deps: WriteDeps,
  invoice: BilledInvoice,
  { owner: ownerThen, ownerOf, named, isOwnerStored: isStored, ...reading }: Reading,
): Promise<Applied> {
  const products = await productsOfLines(deps.db, invoice.lines)
  return deps.db.transaction(async (tx) => {
    // Two jobs may be about an invoice that has no row yet.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`invoice:${invoice.id}`}, 0))`)
    const [stored] = await tx.select().from(orders).where(eq(orders.providerId, invoice.id)).for('update')
    const before = stored && (await ofLinkedOwner(tx, stored, { invoice, ownerOf, named }))
    const status = orderStatusOf(invoice)
    if (!before && !status) return 'done'
    const { channel: provider, subscriptionId: objectId, customerId } = invoice
    const owner = before ? ownerThen : await ownerNow(tx, ownerThen, { provider, objectId, customerId, isStored })
    const instead = before ? undefined : await storedInstead(deps, tx, { invoice, owner, status, reading })
    if (instead) return instead
    if (before && before.syncNumber > reading.syncNumber) return 'done'
    // What is completed is not changed any more: its invoice has been written.
    if (before?.status === 'CO') return 'done'

    const ownerId = before?.memberId ?? owner?.memberId ?? ''
    const member = await recipient(tx, ownerId)
    // The language of now: an order that was taken over may have waited since before the first visit.
    const locale = member?.locale ?? before?.locale ?? 'en-us'
    const facts = {
      status: status ?? 'CL',
      lines: orderLinesOf(invoice, products, (line) => lineText(line, locale)),
      amount: invoice.charged,
      total: invoice.total,
      tax: invoice.tax,
      currency: invoice.currency,
      date: invoice.finalizedAt ?? invoice.createdAt,
      ...(await personalFacts(tx, invoice, { before, owner: reading.isOfTyped ? undefined : owner, member, locale })),
      syncNumber: reading.syncNumber,
      providerNumber: invoice.number,
      isOfChange: invoice.isOfChange,
      providerSubscriptionId: invoice.subscriptionId,
      locale,
    }
    const common = { ...facts, memberId: ownerId, providerId: invoice.id }
    const isImported = reading.isTakenOver && !before && status === 'CO'
    const held = before ? undefined : await holderOf(tx, invoice.number)
    const imported = before?.origin === 'imported' ? before : held && claimable(held, common)
    if (imported) {
      const { providerId, providerSubscriptionId, syncNumber } = common
      const payUrl = imported.status === 'CO' ? '' : common.payUrl
      const status = imported.status === 'CO' ? 'CO' : common.status
      const after = { status, payUrl, providerId, providerSubscriptionId, syncNumber }
      await tx.update(orders).set(after).where(eq(orders.orderNumber, imported.orderNumber))
      await followUp(deps, tx, { invoice, before: imported, row: { ...imported, ...after } })
      return 'done'
    }
    if (held && isImported) {
      await storeUnmatchedOrder(tx, invoice, { reason: 'number_taken', status, owner, now: deps.clock() })
      return 'number_taken'
    }
    const row = { ...common, ...(await ownPartOf(tx, invoice, { before, isImported, status: facts.status })) }
    if (before) await tx.update(orders).set(row).where(eq(orders.orderNumber, before.orderNumber))
    else await tx.insert(orders).values(row)
    await followUp(deps, tx, { invoice, before, row, hasWaited: reading.hasWaited })
    if (!before) await forgetUnmatched(tx, { provider: invoice.channel, objectId: invoice.id })
    return 'done'
  })
}

type Row = typeof orders.$inferSelect

interface Numbering {
  before: Row | undefined
  /** It was paid before the take-over. */
  isImported: boolean
  status: Row['status']
}

/**
 * What is ours of an order. A completed one gets its invoice number; one that was paid before the take-over has the provider's, and its
 * document.
 */
async function ownPartOf(tx: Tx, invoice: BilledInvoice, { before, isImported, status }: Numbering) {
  const isPriceHidden = before?.isPriceHidden ?? (await isSoldByPartner(tx, invoice))
  const orderNumber = before?.orderNumber ?? (await nextNumber(tx, 'order'))
  if (isImported) {
    const theirs = { invoiceNumber: invoice.number, invoiceUrl: invoice.pdfUrl, origin: 'imported' as const }
    return { orderNumber, isPriceHidden, ...theirs }
  }
  const invoiceNumber = status === 'CO' ? await nextNumber(tx, 'invoice') : ''
  return { orderNumber, isPriceHidden, invoiceNumber, invoiceUrl: '', origin: 'charged' as const }
}

type Written = Pick<Row, 'orderNumber' | 'memberId' | 'status' | 'amount' | 'currency' | 'origin'>

interface Change {
  invoice: BilledInvoice
  before: Row | undefined
  row: Written
  hasWaited?: boolean | undefined
}

async function followUp(deps: WriteDeps, tx: Tx, { invoice, before, row, hasWaited }: Change): Promise<void> {
  if (before?.status === row.status) return
  const { orderNumber: target, memberId, status, amount, currency } = row
  const details = { before: { status: before?.status ?? null }, after: { status, amount, currency } }
  await recordProvider(tx, memberId, { action: 'order.changed', target, details, now: deps.clock() })
  if (status !== 'CO' || row.origin !== 'charged') return
  await deps.jobs.send(tx, invoicesQueue, { orderNumber: target }, target)
  const paidAt = invoice.paidAt ?? deps.clock()
  // What was open here until now is news, however long the payment took.
  const isNews = before !== undefined || hasWaited || isRecent(paidAt, deps.clock())
  if (isNews && amount > 0) await enqueueReceipt(deps, tx, { orderNumber: target, channel: invoice.channel })
}
