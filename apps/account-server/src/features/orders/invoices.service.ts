import type { downloadInvoice as contract } from '@atrium/contract/orders.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { z } from 'zod'
import { memberRow } from '../../db/members.queries.ts'
import { memberName } from '../../db/members.rules.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { invoiceDocument } from './invoice-pdf/invoice-document.ts'
import { renderInTurn } from './invoice-pdf/renderer.ts'
import { orderOfMember, storedFile } from './orders.queries.ts'
import { type InvoiceKind, invoiceFilename, invoiceKind } from './orders.rules.ts'
import type { Buyer } from './orders.tables.ts'
import { keepFile, writeInvoice } from './orders.writes.ts'

type Asked = z.output<typeof contract.body>

/**
 * The invoice of an order, its pro forma or its summary, as `invoiceKind` says. What is stored is answered as it is;
 * a first download fetches the vendor's own file, or writes what Atrium writes.
 */
export async function downloadInvoice(deps: Deps, member: Member, asked: Asked) {
  const order = await orderOfMember(deps.db, member, asked)
  if (!order) throw new Problem('not_found')
  const kind = invoiceKind(order)
  if (kind === 'none') throw new Problem('no_invoice')

  const wanted = { order, kind, lang: asked.lang, now: deps.clock() }
  const pdf = (await storedFile(deps.db, order.orderNumber, kind)) ?? (await firstFile(deps, member, wanted))
  return { content: pdf.toString('base64'), filename: invoiceFilename(kind, order) }
}

interface Wanted {
  order: NonNullable<Awaited<ReturnType<typeof orderOfMember>>>
  kind: Exclude<InvoiceKind, 'none'>
  lang: Asked['lang']
  now: Date
}

async function firstFile(deps: Deps, member: Member, wanted: Wanted): Promise<Buffer> {
  const { order, kind } = wanted
  if (order.invoiceUrl !== '') return fetchedFile(deps, member, wanted)
  if (kind === 'invoice') return chargedInvoice(deps, member, wanted)

  const buyer = order.buyer ?? (await buyerFrom(deps, member, wanted))
  const pdf = await renderInTurn(invoiceDocument({ ...wanted, buyer }, deps.config))
  // A pro forma follows its order, which is still open and may change: it is written anew each time.
  return kind === 'pro_forma' ? pdf : kept(deps, member, { ...wanted, pdf })
}

/** The vendor's own PDF. It is fetched outside of any transaction, and once. */
async function fetchedFile(deps: Deps, member: Member, wanted: Wanted): Promise<Buffer> {
  const pdf = await deps.fetchInvoiceFile(wanted.order.invoiceUrl)
  if (!pdf) throw new Problem('invoice_unavailable')
  return kept(deps, member, { ...wanted, pdf })
}

/** It is written when its order completes; an order that completed without is given it now. */
async function chargedInvoice(deps: Deps, member: Member, { order, lang, now }: Wanted): Promise<Buffer> {
  const { orderNumber } = order
  await deps.db.transaction(async (tx) => {
    const isNew = await writeInvoice(deps, tx, { orderNumber, lang, now })
    if (isNew) await recordStored(tx, member, { orderNumber, kind: 'invoice', now })
  })
  return mustBeStored(deps, orderNumber, 'invoice')
}

/** Of two downloads at once one stores its file, and both answer that one. */
async function kept(deps: Deps, member: Member, { order, kind, pdf, now }: Wanted & { pdf: Buffer }): Promise<Buffer> {
  const { orderNumber } = order
  const isStored = await deps.db.transaction(async (tx) => {
    const isNew = await keepFile(tx, { orderNumber, kind, pdf, now })
    if (isNew) await recordStored(tx, member, { orderNumber, kind, now })
    return isNew
  })
  return isStored ? pdf : mustBeStored(deps, orderNumber, kind)
}

function recordStored(
  tx: Tx,
  member: Member,
  { orderNumber, kind, now }: Pick<Wanted, 'kind' | 'now'> & { orderNumber: string },
) {
  return record(tx, member, { action: 'invoice.stored', target: orderNumber, details: { kind }, now })
}

async function mustBeStored({ db }: Deps, orderNumber: string, kind: Wanted['kind']): Promise<Buffer> {
  const pdf = await storedFile(db, orderNumber, kind)
  if (!pdf) throw new Error(`order ${orderNumber} has lost its file`)
  return pdf
}

/** An imported order does not say who bought it: the member it belongs to, as they are now. */
async function buyerFrom({ db }: Deps, member: Member, { lang }: Wanted): Promise<Buyer> {
  const row = await memberRow(db, member)
  if (!row) throw new Problem('not_found')
  const { company, email, countryCode } = row
  return { name: memberName(lang, row), company, email, address: [], country: countryCode }
}
