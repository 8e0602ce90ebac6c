import { ImportRecord } from '@atrium/contract/imports.ts'
import { expect, test } from 'vitest'
import { openPayments } from './folio/billing.ts'
import { folioRecords } from './folio.ts'

const today = new Date('2026-11-20T15:04:05Z')
const records = [...folioRecords(today)].map((entry) => ImportRecord.parse(entry))

test('nobody has more seats than the product may have, waiting ones included', () => {
  const caps = new Map(
    records.flatMap((entry) => (entry.type === 'product' && entry.cap ? [[entry.code, entry.cap.cap]] : [])),
  )
  const waiting = new Map<string, number>(
    openPayments.flatMap((payment) => (payment.is === 'seats' ? [[payment.name, payment.quantity]] : [])),
  )
  for (const entry of records) {
    // An enterprise agrees on its seats with sales.
    if (entry.type !== 'subscription' || entry.origin === 'offline' || entry.orgCode) continue
    const seats = Math.max(entry.userCount, waiting.get(entry.subscriptionId) ?? 0)
    expect(seats, entry.subscriptionId).toBeLessThanOrEqual(caps.get(entry.productCode) ?? 999)
  }
})

test('what is quoted, pending or open was ordered within the last two months', () => {
  for (const entry of records) {
    if (entry.type !== 'order' || entry.status === 'CO' || entry.status === 'CL') continue
    const days = (today.getTime() - new Date(entry.date).getTime()) / 86_400_000
    expect(days, `${entry.orderNumber} ${entry.status}`).toBeLessThan(61)
  }
})

test('a device was updated when it was deactivated, or later', () => {
  for (const entry of records) {
    if (entry.type !== 'email-device' || !entry.deactivated) continue
    expect(new Date(entry.updated).getTime(), entry.hostName).toBeGreaterThanOrEqual(
      new Date(entry.deactivated).getTime(),
    )
  }
})
