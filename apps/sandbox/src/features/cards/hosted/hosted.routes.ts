import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { openPaymentOf } from '../invoices/invoice-payments.writes.ts'
import { lockedInvoice } from '../invoices/invoices.writes.ts'
import { chargeInvoice } from '../invoices/pay.ts'
import { createPaymentMethod } from '../payment-methods/payment-methods.writes.ts'
import { type ApiDeps, type Call, ownCall } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { save } from '../store/store.ts'
import { idOf, isOf, type StoredOf } from '../store/stored.ts'
import { Refusal } from '../wire/refusal.ts'
import { hostedPage } from './hosted.page.ts'
import { invoicePdf } from './invoice-pdf.ts'

const Token = z.object({ token: z.string().regex(/^[0-9A-Za-z]{32}$/) })

/** A card on file, or the numbers of another one. */
const Payment = z.object({
  card: z.string().max(100).default(''),
  number: z.string().max(40).default(''),
  expiry: z.string().max(10).default(''),
  cvc: z.string().max(10).default(''),
})

/** The provider's own page of an invoice, where a person pays it, and its document. */
export function hostedRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get('/cards/invoices/:token', async (request, reply) => {
    const invoice = await invoiceOf(deps, request)
    return sendPage(reply, hostedPage(invoice, await choicesOf(deps, invoice)))
  })

  app.get('/cards/invoices/:token/pdf', async (request, reply) => {
    const { object, hidden } = await invoiceOf(deps, request)
    return reply
      .headers({
        'content-type': 'application/pdf',
        'content-disposition': `inline; filename="Invoice-${object.number ?? 'draft'}.pdf"`,
      })
      .send(invoicePdf(object, hidden.lines))
  })

  ownForms(app, (forms) => {
    forms.post('/cards/invoices/:token', async (request, reply) => {
      const invoice = await invoiceOf(deps, request)
      const given = Payment.safeParse(request.body)
      if (!given.success) throw new Problem('not_found')
      const outcome = await pay(deps, invoice, given.data)
      deps.onEvents()
      if (outcome instanceof Refusal) {
        const fresh = await invoiceOf(deps, request)
        const page = hostedPage(fresh, await choicesOf(deps, fresh), outcome.body.message)
        return sendPage(reply.code(outcome.status), page)
      }
      return reply.redirect(outcome.path, 303)
    })
  })
}

type StoredInvoice = StoredOf<'invoice'>

/** @throws Problem `not_found` for a mistyped address */
async function invoiceOf({ db }: Pick<ApiDeps, 'db'>, request: FastifyRequest): Promise<StoredInvoice> {
  const params = Token.safeParse(request.params)
  if (!params.success) throw new Problem('not_found')
  const [row] = await db
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(
      and(eq(cardObjects.kind, 'invoice'), sql`${cardObjects.stored} -> 'hidden' ->> 'token' = ${params.data.token}`),
    )
  if (!row || !isOf(row.stored, 'invoice') || row.stored.object.status === 'draft') throw new Problem('not_found')
  return row.stored
}

/** The customer's cards on file, and the one about which the bank asks. */
async function choicesOf(deps: Pick<ApiDeps, 'db'>, invoice: StoredInvoice) {
  const cards = await cardsOf(deps, invoice)
  const asking = await deps.db.transaction((tx) => openQuestion(tx, invoice.object.id))
  return { cards, asked: cards.find(({ object }) => object.id === idOf(asking?.object.payment_method)) }
}

/** The payment of an open invoice that waits for the bank's question. */
async function openQuestion(tx: Tx, invoice: string): Promise<StoredOf<'payment_intent'> | undefined> {
  const payment = await openPaymentOf({ tx }, invoice)
  return payment?.object.status === 'requires_action' ? payment : undefined
}

async function cardsOf({ db }: Pick<ApiDeps, 'db'>, { object }: StoredInvoice): Promise<StoredOf<'payment_method'>[]> {
  const rows = await db
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, 'payment_method'), eq(cardObjects.customer, idOf(object.customer) ?? '')))
  return rows.flatMap(({ stored }) => (isOf(stored, 'payment_method') ? [stored] : []))
}

/**
 * A declined card is an answer, and is stored; every other refusal changes nothing. What is paid already is not paid again, and a question
 * that the bank asks about the card already, a renewal's say, is continued.
 * @returns where the payer goes on
 */
async function pay(deps: ApiDeps, { object, hidden }: StoredInvoice, given: z.output<typeof Payment>) {
  const path = `/cards/invoices/${hidden.token}`
  const returnUrl = `${deps.publicUrl}${path}`
  try {
    return await deps.db.transaction(async (tx) => {
      const call = await ownCall(tx, deps)
      const invoice = await lockedInvoice(call, object.id)
      if (invoice.object.status === 'paid') return { path }
      // Numbers that were typed win over the card that is still selected.
      const card = given.number.trim() === '' ? given.card : ''
      const question = await openQuestion(tx, object.id)
      const challenge = question?.hidden.challenge
      if (question && challenge && idOf(question.object.payment_method) === card) {
        await save(tx, { ...question, hidden: { ...question.hidden, challenge: { ...challenge, returnUrl } } })
        return { path: `/cards/authenticate/${challenge.token}` }
      }
      const paymentMethod = card === '' ? await newCard(call, given) : card
      const outcome = await chargeInvoice(call, invoice, { paymentMethod, isOffSession: false, returnUrl })
      if (outcome instanceof Refusal) return outcome
      const bank = outcome.next_action?.redirect_to_url?.url
      return { path: bank ? new URL(bank).pathname : path }
    })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function newCard(call: Call, { number, expiry, cvc }: z.output<typeof Payment>): Promise<string> {
  const [, month = '0', year = '0'] = /^\s*(\d{1,2})\s*\/\s*(\d{2,4})\s*$/.exec(expiry) ?? []
  const { object } = await createPaymentMethod(call, {
    type: 'card',
    card: { number, exp_month: Number(month), exp_year: Number(year), ...(cvc !== '' && { cvc }) },
  })
  return object.id
}
