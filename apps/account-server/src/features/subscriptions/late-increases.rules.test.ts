import { expect, test } from 'vitest'
import { lateIncreasesAfter, untilPaid } from './late-increases.rules.ts'
import type { Projection } from './projection.rules.ts'

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 5, day, hour))
const month = { periodStart: at(1), periodEnd: at(31) }
const renewed = { periodStart: at(31), periodEnd: at(61) }

const bought: Projection = {
  ...{ productCode: 'FPEPB', status: 'active', userCount: 1, storageCapacity: 0, connectors: 0, ...month },
  ...{ autoRenew: true, trialEnd: null, cancelAt: null, pastDueSince: null, endedAt: null, createdAt: at(-30) },
  ...{ term: 'monthly', price: 1000, currency: 'USD', commitmentEnd: null, dueAmount: null, dueUrl: '' },
  ...{ nextAttemptAt: null, needsConfirmation: false, isRenewing: false, paidUntil: null, paidBy: null },
}
const failed = { ...renewed, status: 'past_due' } as const

interface Read extends Partial<Projection> {
  now: Date
  /** When the newest period of its connectors began; left out: with the rest. */
  connectorsStart?: Date
  isFirst?: boolean
  isMoved?: boolean
}

/** What a row says after readings, one after the other. */
function after(...readings: readonly Read[]) {
  const none = { ...bought, providerId: 'sub_1' as string | null, lateIncreases: [] as readonly { at: string }[] }
  let row: Parameters<typeof lateIncreasesAfter>[0] & Projection = { ...none, lateIncreases: [] }
  for (const { now, connectorsStart, isFirst = false, isMoved = false, ...read } of readings) {
    const sold = { ...bought, ...read }
    const before = { ...row, ...((isFirst || isMoved) && { providerId: null }) }
    const items = [sold, { periodStart: connectorsStart ?? sold.periodStart }]
    const projection = untilPaid(sold, { before, items, pastDueDays: 21 }) ?? sold
    const lateIncreases = lateIncreasesAfter(before, projection, { pastDueDays: 21, now })
    row = { ...before, ...projection, lateIncreases, providerId: 'sub_1' }
  }
  return row
}

const more: Read = { now: at(30, 22), userCount: 30, connectors: 2 }
const due: Read = { ...failed, now: at(31, 2), userCount: 30, connectors: 2 }

test('there is what there was before, however often it is read', () => {
  for (const readings of [[more, due], [more, more, due], [more, due, due, due], [due]]) {
    expect(after(...readings)).toMatchObject({ userCount: 1, connectors: 0 })
  }
})

test('of several increases there is what there was before the first of the last days of retries', () => {
  const early = { now: at(9, 23), userCount: 3 }
  const late = { now: at(10, 1), userCount: 8 }
  expect(after(early, late, more, due)).toMatchObject({ userCount: 3, connectors: 0 })
  expect(after(early, { ...more, now: at(10, 1) }, { ...due, userCount: 40 })).toMatchObject({ userCount: 3 })
})

test('what was taken away since is not there', () => {
  expect(after({ ...more, now: at(2) }, { ...due, userCount: 10 })).toMatchObject({ userCount: 10, connectors: 2 })
  expect(after(more, { now: at(30, 23), userCount: 10, connectors: 1 }, { ...due, userCount: 10 }).userCount).toBe(1)
  expect(after({ now: at(2), userCount: 5 }, more, { ...due, userCount: 4 })).toMatchObject({ userCount: 4 })
})

test('storage is held back as seats are, and no seats in its place', () => {
  const storage = { userCount: 1, storageCapacity: 2, now: at(2) }
  const dueStorage = { ...failed, userCount: 1, storageCapacity: 9, now: at(31, 2) }
  expect(after(storage, { ...storage, storageCapacity: 9, now: at(30) }, dueStorage).storageCapacity).toBe(2)
  expect(after({ now: at(30), userCount: 3 }, dueStorage)).toMatchObject({ userCount: 1, storageCapacity: 9 })
})

test('once its renewal is paid all is there, and stays at the next one that fails', () => {
  const paid: Read = { ...renewed, now: at(33), userCount: 30, connectors: 2 }
  expect(after(more, due, paid)).toMatchObject({ userCount: 30, connectors: 2, lateIncreases: [] })
  const second = { ...due, periodStart: at(61), now: at(61, 2) }
  expect(after(more, due, paid, second)).toMatchObject({ userCount: 30, connectors: 2 })
  // Not the renewal, but an invoice beside it fails.
  expect(after(more, paid, { ...due, now: at(35) })).toMatchObject({ userCount: 30, connectors: 2 })
})

test('until the renewal is tried all is there, and nothing is forgotten', () => {
  const tried: Read = { ...renewed, isRenewing: true, now: at(31, 1), userCount: 30, connectors: 2 }
  expect(after(more, tried)).toMatchObject({ userCount: 30, connectors: 2 })
  expect(after(more, tried, due)).toMatchObject({ userCount: 1, connectors: 0 })
  // Heard of only then.
  expect(after(tried, due)).toMatchObject({ userCount: 1, connectors: 0 })
})

test('nothing is added while a payment is due', () => {
  const fresh = { ...due, userCount: 1, connectors: 0 }
  expect(after(fresh, due, { ...due, userCount: 50 })).toMatchObject({ userCount: 1, connectors: 0 })
})

test('what is read first while it is past due is there, whatever a file has said of it', () => {
  expect(after({ ...due, isFirst: true })).toMatchObject({ userCount: 30, connectors: 2 })
  expect(after({ ...more, isFirst: true }, due)).toMatchObject({ userCount: 30, connectors: 2 })
})

test('a transfer changes nothing of it', () => {
  const moved: Read = { ...more, createdAt: at(29), periodStart: at(29), now: at(29), isMoved: true }
  expect(after({ ...more, now: at(28) }, moved, { ...due, createdAt: at(29) })).toMatchObject({ userCount: 1 })
  const later = { ...more, createdAt: at(29), periodStart: at(29) }
  const first = { ...moved, userCount: 1, connectors: 0 }
  expect(after(first, later, { ...due, createdAt: at(29) })).toMatchObject({ userCount: 1, connectors: 0 })
})

test('connectors that are billed more often have renewals of their own', () => {
  const later = { now: at(60, 22), userCount: 30, connectors: 2 }
  const ofConnectors = { ...due, ...month, connectorsStart: at(61), now: at(61, 2) }
  expect(after(later, ofConnectors)).toMatchObject({ userCount: 30, connectors: 0 })
})
