import type { downloadInvoice as contract } from '@atrium/contract/orders.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { z } from 'zod'
import { memberRow } from '../../db/members.queries.ts'
import { memberName } from '../../db/members.rules.ts'
import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { record, recordSystem } from '../activity/activity.writes.ts'
import { invoiceDocument } from './invoice-pdf/invoice-document.ts'
import { lockOrderOfMember, orderByNumber, orderOfMember, storedFile } from './orders.queries.ts'
import { type InvoiceKind, invoiceFilename, invoiceKind } from './orders.rules.ts'
import type { Buyer } from './orders.tables.ts'
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

  const wanted = { order, kind, lang: order.locale ?? asked.lang, now: deps.clock() }
  const pdf = (await storedFile(deps.db, order.orderNumber, kind)) ?? (await firstFile(deps, member, wanted))
  return { content: pdf.toString('base64'), filename: invoiceFilename(kind, order) }
}

/** Writes the invoice of a completed order that Atrium charged, unless it is stored. For a job. */
export async function writeInvoice(deps: Deps, orderNumber: string): Promise<void> {
  const order = await orderByNumber(deps.db, orderNumber)
  if (!order?.buyer || !order.locale || invoiceKind(order) !== 'invoice') return
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

interface Wanted {
  order: NonNullable<Awaited<ReturnType<typeof orderOfMember>>>
  kind: Exclude<InvoiceKind, 'none'>
  lang: Asked['lang']
  now: Date
}

/** Fetching and rendering take seconds, so they run without connection and lock. */
async function firstFile(deps: Deps, member: Member, wanted: Wanted): Promise<Buffer> {
  const { order, kind } = wanted
  if (order.invoiceUrl !== '') {
    const pdf = await deps.fetchInvoiceFile(await fileAddress(deps, order))
    if (!pdf) throw new Problem('invoice_unavailable')
    return storeFirst(deps, member, { ...wanted, pdf })
  }

  const buyer = await buyerOf(deps, member, wanted)
  const pdf = await deps.renderInvoice(invoiceDocument({ ...wanted, buyer }, deps.config))
  // A pro forma is rendered each time, because its order is still open and may change.
  return kind === 'pro_forma' ? pdf : storeFirst(deps, member, { ...wanted, pdf })
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
function storeFirst(deps: Deps, member: Member, { order, kind, pdf, now }: Wanted & { pdf: Buffer }): Promise<Buffer> {
  const { orderNumber } = order
  return deps.db.transaction(async (tx) => {
    if (!(await lockOrderOfMember(tx, member, orderNumber))) throw new Problem('not_found')
    const earlier = await storedFile(tx, orderNumber, kind)
    if (earlier) return earlier

    await storeFile(tx, { orderNumber, kind, pdf, now })
    await record(tx, member, { action: 'invoice.stored', target: orderNumber, details: { kind }, now })
    return pdf
  })
}

/** As recorded when Atrium charged the order. For an imported order, the member as of now. */
async function buyerOf({ db }: Deps, member: Member, { order, kind, lang }: Wanted): Promise<Buyer> {
  // A charge records both. An invoice without them would be invalid, and could not be corrected later.
  if (kind === 'invoice' && (!order.buyer || order.invoiceNumber === '')) {
    throw new Error(`order ${order.orderNumber} was charged without a buyer or an invoice number`)
  }
  if (order.buyer) return order.buyer

  const row = await memberRow(db, member)
  if (!row) throw new Problem('not_found')
  const { company, email, countryCode } = row
  return { name: memberName(lang, row), company, email, address: [], country: countryCode }
}
