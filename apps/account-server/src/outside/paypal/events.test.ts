import { expect, test } from 'vitest'
import { eventFrom } from './events.ts'

test('a payment of an order that PayPal takes back is an event about a refund of that payment', () => {
  // As PayPal's own sample of 2018-08-15: its resource is a refund, as that of PAYMENT.CAPTURE.REFUNDED.
  const event = {
    id: 'WH-1',
    resource_type: 'refund',
    resource_version: '2.0',
    event_type: 'PAYMENT.CAPTURE.REVERSED',
    resource: { id: '09E71677NS257044M', status: 'COMPLETED', amount: { currency_code: 'USD', value: '2.51' } },
  }
  expect(eventFrom(event)).toMatchObject({ objectType: 'capture_refund', objectId: '09E71677NS257044M' })
})

test('what PayPal signed and is not an event is refused with what is wrong, and nothing of what it says', () => {
  const given = { id: 'WH-secret', event_type: 7, resource: { id: 'a\0secret' } }
  expect(eventFrom(given)).toEqual({ reason: 'event_type: invalid_type, resource.id: custom' })
  expect(eventFrom(null)).toEqual({ reason: 'body: invalid_type' })
})
