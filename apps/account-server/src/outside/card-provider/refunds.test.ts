import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { cardProvider } from './card-provider.ts'

const listOf = (data: readonly object[]) => ({ object: 'list', url: '/v1', has_more: false, data })

const inDollars = (amount: number) => ({ amount_paid: amount, currency: 'usd' })

const refund = (id: string, status: string, created: number) => ({
  id,
  object: 'refund',
  amount: 100,
  currency: 'usd',
  status,
  created,
  metadata: {},
})

/** A provider with an invoice that two payments paid, and refunds in every state. */
async function provider(more: Readonly<Record<string, object>> = {}) {
  const pages: Readonly<Record<string, object>> = {
    '/v1/invoice_payments?invoice=in_1&status=paid&limit=100': listOf([
      { id: 'inpay_1', ...inDollars(300), payment: { type: 'payment_intent', payment_intent: 'pi_1' } },
      { id: 'inpay_2', ...inDollars(500), payment: { type: 'payment_intent', payment_intent: 'pi_2' } },
      { id: 'inpay_3', ...inDollars(100), payment: { type: 'payment_record', payment_record: 'prec_1' } },
    ]),
    '/v1/refunds?payment_intent=pi_1&limit=100': {
      ...listOf([refund('re_1', 'succeeded', 10), refund('re_2', 'failed', 90)]),
      has_more: true,
    },
    '/v1/refunds?payment_intent=pi_1&limit=100&starting_after=re_2': listOf([
      refund('re_3', 'canceled', 80),
      refund('re_4', 'requires_action', 70),
    ]),
    '/v1/refunds?payment_intent=pi_2&limit=100': listOf([refund('re_5', 'pending', 20)]),
  }
  const created: string[] = []
  const server = createServer(async (request, reply) => {
    const body = await text(request)
    if (request.method === 'POST') created.push(`${request.headers['idempotency-key']}: ${decodeURIComponent(body)}`)
    const page = more[request.url ?? ''] ?? pages[request.url ?? '']
    reply.writeHead(page ? 200 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(page ?? { error: { type: 'invalid_request_error', message: request.url } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    created,
    cards: cardProvider({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_API_URL: `http://127.0.0.1:${port}` }),
    [Symbol.dispose]: () => void server.close(),
  }
}

test('of all refunds of all payments, those count that succeeded or are on their way', async () => {
  using world = await provider()
  expect(await world.cards.refundsOfInvoice('in_1')).toEqual({ amount: 200, lastAt: new Date(20_000) })
})

test('a refund of what two payments paid takes from the second what the first one cannot give, each once', async () => {
  const asked = { invoiceId: 'in_1', amount: 500, currency: 'USD', operationId: 'op' }
  using world = await provider({ '/v1/refunds': refund('re_6', 'succeeded', 100) })
  expect(await world.cards.isRefunded(asked)).toBe(false)
  await world.cards.refundInvoice(asked)
  const first = 'op-pi_1: payment_intent=pi_1&amount=200&metadata[operation]=op'
  const second = 'op-pi_2: payment_intent=pi_2&amount=300&metadata[operation]=op'
  expect(world.created).toEqual([first, second])

  // The first of them was made, and the answer to the second one lost.
  const own = { ...refund('re_6', 'succeeded', 100), amount: 200, metadata: { operation: 'op' } }
  const begun = {
    '/v1/refunds?payment_intent=pi_1&limit=100': listOf([own]),
    '/v1/refunds': refund('re_7', 'succeeded', 110),
  }
  using half = await provider(begun)
  expect(await half.cards.isRefunded(asked)).toBe(false)
  await half.cards.refundInvoice(asked)
  expect(half.created).toEqual([second])

  using done = await provider({
    ...begun,
    '/v1/refunds?payment_intent=pi_2&limit=100': listOf([{ ...own, amount: 300 }]),
  })
  expect(await done.cards.isRefunded(asked)).toBe(true)
  await done.cards.refundInvoice(asked)
  expect(done.created).toEqual([])
})

test('more than is left of the payments of an invoice is refused, once what is left was given back', async () => {
  using world = await provider({ '/v1/refunds': refund('re_6', 'succeeded', 100) })
  const asked = { invoiceId: 'in_1', amount: 700, currency: 'USD', operationId: 'op' }
  await expect(world.cards.refundInvoice(asked)).rejects.toMatchObject({ kind: 'invalid' })
  expect(world.created).toHaveLength(2)
})

test('of dinars a refund ends with a zero, rather more than less, and what is less than ten fils cannot be given back', async () => {
  const paidBy = (amounts: readonly number[]) =>
    listOf(
      amounts.map((amount, place) => ({
        ...{ amount_paid: amount, currency: 'kwd' },
        payment: { type: 'payment_intent', payment_intent: `pi_${place + 3}` },
      })),
    )
  const paid = '/v1/invoice_payments?invoice=in_2&status=paid&limit=100'
  const refundsOf = (place: number) => `/v1/refunds?payment_intent=pi_${place}&limit=100`
  const own = { ...refund('re_8', 'succeeded', 100), currency: 'kwd', metadata: { operation: 'op' } }
  const empty = { [refundsOf(3)]: listOf([]), [refundsOf(4)]: listOf([]), '/v1/refunds': own }
  const asked = { invoiceId: 'in_2', currency: 'KWD', operationId: 'op' }

  using world = await provider({ [paid]: paidBy([12_345, 5000]), ...empty })
  expect(await world.cards.isRefunded({ ...asked, amount: 7 })).toBe(false)
  await world.cards.refundInvoice({ ...asked, amount: 7 })
  await world.cards.refundInvoice({ ...asked, amount: 12_347 })
  expect(world.created.map((body) => /amount=\d+/.exec(body)?.[0])).toEqual(['amount=10', 'amount=12340', 'amount=10'])

  using all = await provider({ [paid]: paidBy([12_345]), ...empty })
  await all.cards.refundInvoice({ ...asked, amount: 12_345 })
  expect(all.created.map((body) => /amount=\d+/.exec(body)?.[0])).toEqual(['amount=12340'])
  using done = await provider({
    [paid]: paidBy([12_345]),
    [refundsOf(3)]: listOf([{ ...own, amount: 12_340 }]),
  })
  expect(await done.cards.isRefunded({ ...asked, amount: 12_345 })).toBe(true)
  await done.cards.refundInvoice({ ...asked, amount: 12_345 })
  expect(done.created).toEqual([])
  await expect(done.cards.refundInvoice({ ...asked, amount: 12_350 })).rejects.toMatchObject({ kind: 'invalid' })
})

test('a credit is used elsewhere by each other invoice that was finalized since, even if it is void or was too small', async () => {
  const own = { id: 'in_1', object: 'invoice', customer: 'cus_1' }
  const invoice = (id: string, finalized: number | null, [before, after]: readonly [number, number | null]) => ({
    ...{ id, currency: 'usd', starting_balance: before, ending_balance: after },
    status_transitions: { finalized_at: finalized },
  })
  using world = await provider({
    '/v1/invoices/in_1': own,
    '/v1/invoices?customer=cus_1&limit=100': listOf([
      { ...invoice('in_1', 100, [-50, 0]), ...own },
      invoice('in_2', 101, [-1000, -700]),
      { ...invoice('in_3', 100, [-700, -680]), status: 'void' },
      { ...invoice('in_4', 102, [0, 4]), amount_due: 0 },
      // A credit that is left to the customer, an older invoice and a draft have used none since.
      invoice('in_5', 103, [0, -500]),
      invoice('in_6', 99, [-2000, -1000]),
      invoice('in_7', null, [-500, null]),
    ]),
  })
  expect(await world.cards.creditUsedElsewhere({ invoiceId: 'in_1', since: new Date(100_900) })).toBe(324)
})
