import { expect, test } from 'vitest'
import type { CallPaypal } from './client.ts'
import { orderCalls } from './orders.ts'
import { paypalSubscriptionCalls } from './subscriptions.ts'

const [own, other] = ['2J6QB8YJQSJRJ', 'V7ZN4NEJRLGZA']

/** PayPal answers this. */
const answering =
  (body: object): CallPaypal =>
  async (_request, schema) =>
    schema.parse(body)

const order = { id: '5O190127TN364715T', status: 'APPROVED' }

test.each([
  ['both of its places', { payment_source: { paypal: { account_id: own } }, payer: { payer_id: own } }, own],
  ['the source alone', { payment_source: { paypal: { account_id: own } } }, own],
  ['the payer alone', { payment_source: { paypal: {} }, payer: { payer_id: own } }, own],
  ['two accounts', { payment_source: { paypal: { account_id: own } }, payer: { payer_id: other } }, ''],
  ['a guest’s card', { payment_source: { card: { last_digits: '1111' } }, payer: { payer_id: own } }, ''],
  ['a wallet of its own', { payment_source: { venmo: { account_id: own } }, payer: { payer_id: own } }, ''],
  ['no source', { payer: { payer_id: own } }, ''],
  ['what is no id', { payment_source: { paypal: { account_id: 'buyer@example.com' } } }, ''],
  ['no source that can be read', { payment_source: { paypal: null }, payer: { payer_id: own } }, ''],
  ['nobody yet', { payment_source: { paypal: {} } }, ''],
])('the account that has approved an order, where PayPal names %s', async (_, paid, accountId) => {
  expect(await orderCalls(answering({ ...order, ...paid })).readOrder(order.id)).toMatchObject({ accountId })
})

test.each([
  ['an account', { payer_id: own, email_address: 'customer@example.com' }, own],
  ['a card that was entered without one', { payer_id: own, payment_source: { card: { last_digits: '1111' } } }, ''],
  ['nobody', {}, ''],
  ['nothing at all', undefined, ''],
])('the account that pays for a subscription, where PayPal names %s', async (_, subscriber, account) => {
  expect(await paypalSubscriptionCalls(answering({ subscriber })).payingAccount('I-BW452GLLEP1G')).toBe(account)
})
