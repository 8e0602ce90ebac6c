import { expect, test } from 'vitest'
import { forgetSent, sentPayment, storeSent } from './sent-payment.ts'

/** As of a tab. */
function newStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: () => null,
    length: 0,
  }
}

const asked = { sid: 'sub_1', type: 'buy-more', increasingNumber: 2, upgradeSelect: '', couponCode: 'FIVE' } as const
const payment = { asked, quoteId: 'q_1', discount: 500, paymentMethodId: 'pm_1', key: 'key-1' }

test('a payment that was sent is known after a reload, with its key, until its answer is there', () => {
  const storage = newStorage()
  expect(sentPayment(storage, asked, 0)).toBeUndefined()
  storeSent(storage, payment, 1000)
  expect(sentPayment(storage, asked, 2000)).toEqual(payment)
  forgetSent(storage, 'the key of another payment')
  expect(sentPayment(storage, asked, 2000)).toEqual(payment)
  forgetSent(storage, 'key-1')
  expect(sentPayment(storage, asked, 2000)).toBeUndefined()
  storeSent(storage, payment, 1000)
  forgetSent(storage)
  expect(sentPayment(storage, asked, 2000)).toBeUndefined()
})

test('… only by the dialog that sent it, and not much later', () => {
  const storage = newStorage()
  storeSent(storage, payment, 1000)
  expect(sentPayment(storage, { ...asked, sid: 'sub_2' }, 2000)).toBeUndefined()
  expect(sentPayment(storage, { ...asked, type: 'buy-connector' }, 2000)).toBeUndefined()
  expect(sentPayment(storage, asked, 121_000)).toBeUndefined()
})

test('… and not what an earlier version of the page stored', () => {
  const storage = newStorage()
  storage.setItem('sent-payment', JSON.stringify({ ...payment, at: 1000 }))
  expect(sentPayment(storage, asked, 2000)).toBeUndefined()
})
