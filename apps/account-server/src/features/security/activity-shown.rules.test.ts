import { expect, test } from 'vitest'
import { type ActivityRow, shownEntry } from './activity-shown.rules.ts'

const row = (values: Partial<ActivityRow>): ActivityRow => ({
  ...{ id: '1', at: new Date('2026-06-01T09:00:00Z'), who: 'provider', action: 'subscription.changed', target: 'S' },
  ...{ details: {}, address: null, colleague: null, product: null },
  ...values,
})

const changed = (before: object, after: object) => shownEntry(row({ details: { before, after } })).action

const [soon, later] = ['2026-07-01T00:00:00.000Z', '2027-06-01T00:00:00.000Z']

test.each([
  ['an unpaid bill', { status: 'past_due', autoRenew: true }],
  ['the vendor', { status: 'active', autoRenew: true }],
  ['its end', { status: 'active' }],
])('a subscription that %s ended is not one whose auto-renewal was turned off', (_what, before) => {
  const after = { status: 'canceled', endedAt: soon, ...('autoRenew' in before && { autoRenew: false }) }
  expect(changed(before, after)).toBe('subscription.ended')
})

test('a change to annual billing is not a renewal', () => {
  const before = { term: 'monthly', periodEnd: soon }
  expect(changed(before, { term: 'yearly', periodEnd: later })).toBe('subscription.changed')
  expect(changed({ periodEnd: soon }, { periodEnd: later })).toBe('subscription.renewed')
})

test('an order summary is never called an invoice', () => {
  const shown = (kind: string) => shownEntry(row({ action: 'invoice.stored', target: 'FO-1', details: { kind } }))
  expect(shown('summary')).toMatchObject({ action: 'order.summary_stored', subject: 'FO-1' })
  expect(shown('invoice')).toMatchObject({ action: 'invoice.stored', subject: 'FO-1' })
})

test('the network address of somebody else is theirs', () => {
  const address = '192.0.2.1'
  const addressOf = (who: ActivityRow['who']) => shownEntry(row({ who, address, action: 'seat.joined' })).address
  expect([addressOf('member'), addressOf('colleague')]).toEqual([address, null])
})
