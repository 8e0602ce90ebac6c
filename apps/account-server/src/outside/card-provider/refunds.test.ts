import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { cardProvider } from './card-provider.ts'

const listOf = (data: readonly object[]) => ({ object: 'list', url: '/v1', has_more: false, data })

/** A provider with an invoice that two payments paid, and refunds in every state. */
async function provider() {
  const refund = (id: string, status: string, created: number) => ({
    id,
    object: 'refund',
    amount: 100,
    currency: 'usd',
    status,
    created,
  })
  const pages: Readonly<Record<string, object>> = {
    '/v1/invoice_payments?invoice=in_1&status=paid&limit=100': listOf([
      { id: 'inpay_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } },
      { id: 'inpay_2', payment: { type: 'payment_intent', payment_intent: 'pi_2' } },
      { id: 'inpay_3', payment: { type: 'payment_record', payment_record: 'prec_1' } },
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
  const server = createServer((request, reply) => {
    const page = pages[request.url ?? '']
    reply.writeHead(page ? 200 : 404, { 'content-type': 'application/json' })
    reply.end(JSON.stringify(page ?? { error: { type: 'invalid_request_error', message: request.url } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    cards: cardProvider({ STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_API_URL: `http://127.0.0.1:${port}` }),
    [Symbol.dispose]: () => void server.close(),
  }
}

test('of all refunds of all payments, those count that succeeded or are on their way', async () => {
  using world = await provider()
  expect(await world.cards.refundsOfInvoice('in_1')).toEqual({ amount: 200, lastAt: new Date(20_000) })
})
