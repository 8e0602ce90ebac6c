import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'
import { drawn, keyOf, macOf, oneOf } from './sequence.ts'

/** An insurance group with 5,000 licenses and 20,000 devices: what the lists are measured with. */
const email = 'bulk@folio.test'
const keyed = 4960
const subscriptions = 40
const colleagues = 100

/** Colleagues with seats in the group's subscriptions. */
export function* bulkMemberRecords(): Generator<FolioRecord> {
  for (let index = 1; index <= colleagues; index += 1) {
    yield {
      type: 'member',
      email: colleague(index),
      firstName: oneOf(['Alex', 'Robin', 'Sam', 'Kim', 'Jo', 'Chris', 'Dana', 'Lee'], 'first', index),
      lastName: oneOf(['Abbott', 'Baker', 'Cole', 'Diaz', 'Evans', 'Fox', 'Grant', 'Hale'], 'last', index),
      phone: '',
      company: 'Meridian Insurance Group',
      country: 'US',
    }
  }
}

export function* bulkRecords(today: Date): Generator<FolioRecord> {
  // Each type together: the importer writes lines of one type in batches.
  const keys = Array.from({ length: keyed }, (_, index) => ({ index, ...keyedLicense(index) }))
  const teams = Array.from({ length: subscriptions }, (_, index) => `meridian-${String(index + 1).padStart(2, '0')}`)

  for (const [index, subscriptionId] of teams.entries()) yield subscription(subscriptionId, index, today)
  for (const subscriptionId of teams) yield* seatsOf(subscriptionId, today)
  for (const [index, subscriptionId] of teams.entries()) {
    yield {
      type: 'license',
      licenseId: `M-S-${String(index + 1).padStart(4, '0')}`,
      subscriptionId,
      version: '14',
      edition: 'Business',
      language: 'Multilingual',
      platform: 'Windows, Mac',
      created: daysBefore(today, 30 + index * 20, 9).toISOString(),
      activationMethod: 'email',
    }
  }
  for (const { license, index } of keys) {
    yield { ...license, created: daysBefore(today, 3 + Math.trunc(index / 4), index % 24).toISOString() }
  }
  for (const { license } of keys) {
    yield {
      type: 'license-contact',
      licenseId: license.licenseId,
      email,
      relationship: 'Holder',
      userRole: 'commercial',
    }
  }
  for (const { license, key } of keys) yield { type: 'license-key', key, licenseId: license.licenseId }
  for (const { key, index } of keys) yield* devicesOfKey(key, index, today)
  for (const [index, subscriptionId] of teams.entries()) yield* devicesOfTeam(subscriptionId, index, today)
}

function keyedLicense(index: number) {
  const productCode = oneOf(['FPE', 'FPETW', 'FPETW', 'FPM', 'FPETM'], 'bulk product', index)
  const licenseId = `M-${String(index + 1).padStart(5, '0')}`
  const license = {
    type: 'license',
    licenseId,
    productCode,
    seats: index === 0 ? 500 : 3,
    expirationDate: 0,
    version: oneOf(['12.1', '13.0', '13.1'], 'bulk version', index),
    edition: 'Team',
    language: 'English',
    platform: productCode.endsWith('M') ? 'Mac' : 'Windows',
    activationMethod: 'keycode',
  } as const
  return { license, key: keyOf(1000 + (index % 9000), 'bulk', index) }
}

/** 440 on the first key, two or three on each of the others: 12,000 together. */
function* devicesOfKey(key: string, index: number, today: Date): Generator<FolioRecord> {
  const usual = index <= 1642 ? 3 : 2
  const count = index === 0 ? 440 : usual
  for (let number = 0; number < count; number += 1) {
    yield {
      type: 'key-device',
      key,
      macAddress: macOf(`bulk ${index}`, number),
      pcName: `MIG-${String(index).padStart(4, '0')}-${number + 1}`,
      appVersion: oneOf(['12.1.0', '13.0.2', '13.1.0'], 'bulk app', index + number),
      requestDate: daysBefore(today, 2 + (drawn('bulk day', index + number) % 900), 10).toISOString(),
    }
  }
}

function subscription(subscriptionId: string, index: number, today: Date): FolioRecord {
  const began = 30 + index * 7
  return {
    type: 'subscription',
    subscriptionId,
    email,
    productCode: 'FPEPB',
    status: 'active',
    userCount: 120,
    origin: 'online',
    channel: 'card',
    autoRenewal: true,
    periodStart: daysBefore(today, began, 9).toISOString(),
    periodEnd: daysBefore(today, began - 365, 9).toISOString(),
    orgCode: 'ORG-MERIDIAN',
  }
}

function* seatsOf(subscriptionId: string, today: Date): Generator<FolioRecord> {
  const seat = { type: 'seat', subscriptionId, status: 'Accepted', isUse: true } as const
  const invited = daysBefore(today, 29, 9).toISOString()
  yield { ...seat, email, seatType: 2, invited }
  for (let index = 1; index <= colleagues; index += 1) yield { ...seat, email: colleague(index), seatType: 0, invited }
}

/** Two for each colleague: 8,000 together. */
function* devicesOfTeam(subscriptionId: string, team: number, today: Date): Generator<FolioRecord> {
  for (let index = 1; index <= colleagues; index += 1) {
    for (const [number, kind] of ['LAPTOP', 'DESK'].entries()) {
      yield {
        type: 'email-device',
        subscriptionId,
        email: colleague(index),
        hostName: `MIG-${kind}-${String(index).padStart(3, '0')}`,
        mac: macOf(`team ${team} ${kind}`, index),
        appName: 'Folio PDF Editor+',
        appVersion: '14.0.1',
        updated: daysBefore(today, 1 + ((team * 7 + index + number) % 28), index % 24).toISOString(),
      }
    }
  }
}

function colleague(index: number): string {
  return `colleague-${String(index).padStart(3, '0')}@meridian.test`
}
