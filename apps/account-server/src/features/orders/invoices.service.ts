import type { downloadInvoice as contract } from '@atrium/contract/orders.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { z } from 'zod'
import { memberRow } from '../../db/members.queries.ts'
import { memberName } from '../../db/members.rules.ts'
import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { record, recordSystem } from '../activity/activity.writes.ts'
import { buyerOf } from './buyer.queries.ts'
import { invoiceDocument } from './invoice-pdf/invoice-document.ts'
import { lockOrderOfMember, orderByNumber, orderOfMember, storedFile } from './orders.queries.ts'
import { type InvoiceKind, invoiceFilename, invoiceKind } from './orders.rules.ts'
import type { Buyer, orders } from './orders.tables.ts'
import { storeFile } from './orders.writes.ts'

type Asked = z.output<typeof contract.body>

/**
 * The invoice of an order, its pro forma or its summary, by `invoiceKind`. Returns a stored file unchanged; a first download
 * fetches the vendor's file, or renders one, and stores it.
 */
export async function downloadInvoice(deps: Deps, member: Member, asked: Asked) {
  const order = await orderOfMember(deps.db, member, asked)
  if (!order) throw new Problem('not_found')
  const kind = invoiceKind(order)
  if (kind === 'none') throw new Problem('no_invoice')

  const pdf = await documentOf(deps, {
    order,
    kind,
    lang: asked.lang,
    recordFor: (tx, what) => record(tx, member, what),
  })
  return { content: pdf.toString('base64'), filename: invoiceFilename(kind, order) }
}

interface Wanted {
  order: typeof orders.$inferSelect
  kind: Exclude<InvoiceKind, 'none'>
  /** Of a new document; an order that Atrium charged has its own. */
  lang: Asked['lang']
  /** Records that a document was stored, as what whoever wants it did. */
  recordFor(tx: Tx, happening: Parameters<typeof record>[2]): Promise<void>
}

/**
 * The document of an order as it is stored, or made now and stored.
 * @throws Problem `invoice_unavailable`; `not_found` if the order has moved to another member meanwhile
 */
export async function documentOf(deps: Deps, wanted: Wanted): Promise<Buffer> {
  const { order, kind } = wanted
  const stored = await storedFile(deps.db, order.orderNumber, kind)
  return stored ?? firstFile(deps, { ...wanted, lang: order.locale ?? wanted.lang, now: deps.clock() })
}

/** Writes the invoice of a completed order that Atrium charged, unless it is stored. For a job. */
export async function writeInvoice(deps: Deps, orderNumber: string): Promise<void> {
  const order = await orderByNumber(deps.db, orderNumber)
  // It has to be there whether or not its buyer may see it.
  if (!order?.buyer || !order.locale || invoiceKind({ ...order, isPriceHidden: false }) !== 'invoice') return
  if (await storedFile(deps.db, orderNumber, 'invoice')) return
  const now = deps.clock()
  const document = invoiceDocument({ order, kind: 'invoice', lang: order.locale, buyer: order.buyer, now }, deps.config)
  const pdf = await deps.renderInvoice(document)
  await deps.db.transaction(async (tx) => {
    if (!(await lockOrderOfMember(tx, { id: order.memberId }, orderNumber))) return
    if (await storedFile(tx, orderNumber, 'invoice')) return
    await storeFile(tx, { orderNumber, kind: 'invoice', pdf, now })
    const program = { memberId: order.memberId, actor: 'orders.invoices', address: null, requestId: null }
    await recordSystem(tx, program, {
      action: 'invoice.stored',
      target: orderNumber,
      details: { kind: 'invoice' },
      now,
    })
  })
}

interface FirstFile extends Wanted {
  now: Date
}

/** Fetching and rendering take seconds, so they run without connection and lock. */
async function firstFile(deps: Deps, wanted: FirstFile): Promise<Buffer> {
  const { order, kind } = wanted
  if (order.invoiceUrl !== '') {
    const pdf = await deps.fetchInvoiceFile(await fileAddress(deps, order))
    if (!pdf) throw new Problem('invoice_unavailable')
    return storeFirst(deps, { ...wanted, pdf })
  }

  const buyer = await recipientOf(deps, wanted)
  const pdf = await deps.renderInvoice(
    invoiceDocument({ order, kind, lang: wanted.lang, now: wanted.now, buyer }, deps.config),
  )
  // A pro forma is rendered each time, because its order is still open and may change.
  return kind === 'pro_forma' ? pdf : storeFirst(deps, { ...wanted, pdf })
}

/** The card provider's addresses end after some weeks: it is asked for a fresh one. */
async function fileAddress(
  { cards }: Deps,
  { invoiceUrl, providerId }: Pick<Wanted['order'], 'invoiceUrl' | 'providerId'>,
): Promise<string> {
  if (providerId === '') return invoiceUrl
  try {
    const { pdfUrl } = await cards.readInvoice(providerId)
    return pdfUrl || invoiceUrl
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    return invoiceUrl
  }
}

/**
 * Stores a file that was rendered without a lock; of concurrent downloads the first file is stored and returned by all. Not if
 * the order has moved to another member meanwhile.
 */
function storeFirst(deps: Deps, { order, kind, recordFor, pdf, now }: FirstFile & { pdf: Buffer }): Promise<Buffer> {
  const { orderNumber } = order
  return deps.db.transaction(async (tx) => {
    if (!(await lockOrderOfMember(tx, { id: order.memberId }, orderNumber))) throw new Problem('not_found')
    const earlier = await storedFile(tx, orderNumber, kind)
    if (earlier) return earlier

    await storeFile(tx, { orderNumber, kind, pdf, now })
    await recordFor(tx, { action: 'invoice.stored', target: orderNumber, details: { kind }, now })
    return pdf
  })
}

/** As recorded when Atrium charged the order, or as its import says. Of another imported order, the member's default address as of now. */
async function recipientOf({ db }: Deps, { order, kind, lang }: Wanted): Promise<Buyer> {
  // A charge records both. An invoice without them would be invalid, and could not be corrected later.
  if (kind === 'invoice' && (!order.buyer || order.invoiceNumber === '')) {
    throw new Error(`order ${order.orderNumber} was charged without a buyer or an invoice number`)
  }
  if (order.buyer) return order.buyer

  const row = await memberRow(db, { id: order.memberId })
  if (!row) throw new Problem('not_found')
  const { email, countryCode: country } = row
  const known = { name: memberName(lang, row), email, address: [], country, taxIds: [], isReverseCharge: false }
  return buyerOf(db, known, { owner: { memberId: row.id, proof: 'vendor' }, member: row, locale: lang })
}
