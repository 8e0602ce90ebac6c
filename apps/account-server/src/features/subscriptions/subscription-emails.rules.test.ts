import { expect, test } from 'vitest'
import { emailOfChange, type SubscriptionEmail, type SubscriptionState } from './subscription-emails.rules.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, 1 + day))
const now = at(30)

const active: SubscriptionState = {
  ...{ status: 'active', productCode: 'FPEPB', userCount: 3, term: 'monthly', storageCapacity: 0, connectors: 0 },
  ...{ periodStart: at(0), periodEnd: at(30), trialEnd: null, cancelAt: null, endedAt: null, createdAt: at(0) },
  ...{ nextAttemptAt: null, needsConfirmation: false, isRenewing: false, dueAmount: null, pastDueSince: null },
}
const next = { periodStart: at(30), periodEnd: at(60) }
const trial: SubscriptionState = { ...active, status: 'trialing', trialEnd: at(30) }
const pastDue: SubscriptionState = {
  ...active,
  ...next,
  status: 'past_due',
  nextAttemptAt: at(29),
  ...{ dueAmount: 3000, pastDueSince: at(29) },
}

const states = {
  active,
  trial,
  trialWithoutCard: { ...active, trialEnd: at(30), cancelAt: at(30) },
  afterTrialUntried: { ...trial, ...next, status: 'active', isRenewing: true },
  afterTrialPaid: { ...trial, ...next, status: 'active' },
  untried: { ...active, ...next, isRenewing: true },
  renewed: { ...active, ...next },
  pastDue,
  retried: { ...pastDue, nextAttemptAt: at(33) },
  retriedForTheLastTime: { ...pastDue, nextAttemptAt: null },
  unsettled: { ...active, ...next, pastDueSince: at(29) },
  toConfirm: { ...pastDue, nextAttemptAt: null, needsConfirmation: true },
  renewalOff: { ...active, cancelAt: at(30) },
  finalEnd: { ...active, cancelAt: at(30), endedAt: at(30) },
  moreSeats: { ...active, userCount: 5 },
  unconfirmed: { ...active, userCount: 5, pendingPlanId: 'P-1' },
  unconfirmedEnding: { ...active, userCount: 5, pendingPlanId: 'P-1', cancelAt: at(30) },
  upgraded: { ...active, productCode: 'FPEPP' },
  yearly: { ...active, term: 'yearly', periodStart: at(12), periodEnd: at(377) },
  connectors: { ...active, connectors: 2 },
  canceled: { ...active, status: 'canceled', endedAt: at(30) },
  canceledLongAgo: { ...active, status: 'canceled', endedAt: at(20), cancelAt: at(20) },
  unknownState: { ...active, status: 'pending' },
  unknownTerm: { ...active, term: null, productCode: 'prod_1' },
} as const satisfies Record<string, SubscriptionState>

type Name = keyof typeof states

const names = Object.keys(states).filter((name): name is Name => name in states)
const emailFrom = (before: Name, after: Name) => emailOfChange(states[before], states[after], now)

test.each([
  ['active', 'untried', undefined],
  ['untried', 'renewed', 'renewed'],
  ['active', 'renewed', 'renewed'],
  ['untried', 'pastDue', 'paymentFailed'],
  ['pastDue', 'retried', 'paymentFailed'],
  ['pastDue', 'retriedForTheLastTime', 'paymentFailed'],
  ['retried', 'pastDue', undefined],
  ['untried', 'toConfirm', 'confirmPayment'],
  ['pastDue', 'toConfirm', 'confirmPayment'],
  ['toConfirm', 'renewed', 'recovered'],
  ['pastDue', 'renewed', 'recovered'],
  ['pastDue', 'unsettled', undefined],
  ['unsettled', 'renewed', 'recovered'],
  ['unsettled', 'pastDue', 'paymentFailed'],
  ['unsettled', 'canceled', 'ended'],
  ['pastDue', 'canceled', 'ended'],
  ['trial', 'afterTrialUntried', undefined],
  ['afterTrialUntried', 'afterTrialPaid', 'trialPaid'],
  ['trial', 'afterTrialPaid', 'trialPaid'],
  ['trial', 'trialWithoutCard', 'renewalOff'],
  ['trial', 'pastDue', 'paymentFailed'],
  ['active', 'renewalOff', 'renewalOff'],
  ['renewalOff', 'active', 'renewalOn'],
  ['renewalOff', 'finalEnd', undefined],
  ['renewalOff', 'canceled', 'ended'],
  ['active', 'moreSeats', 'changed'],
  ['active', 'unconfirmed', 'changeUnconfirmed'],
  ['unconfirmed', 'renewed', 'oldPlanRenewed'],
  ['active', 'unconfirmedEnding', 'changed'],
  ['unconfirmed', 'moreSeats', 'changeConfirmed'],
  ['moreSeats', 'active', 'changed'],
  ['active', 'upgraded', 'changed'],
  ['active', 'yearly', 'changed'],
  ['active', 'connectors', 'changed'],
  ['unknownTerm', 'active', undefined],
  ['active', 'unknownTerm', undefined],
  ['active', 'unknownState', undefined],
  ['canceled', 'canceledLongAgo', undefined],
  ['active', 'canceledLongAgo', undefined],
  ['canceledLongAgo', 'active', 'renewalOn'],
] as const satisfies readonly (readonly [Name, Name, SubscriptionEmail | undefined])[])(
  '%s, then %s: %s',
  (before, after, email) => expect(emailFrom(before, after)).toBe(email),
)

test('a mere reading tells nothing, in whatever state the subscription is', () => {
  for (const name of names) expect([name, emailFrom(name, name)]).toEqual([name, undefined])
})

test('whatever happened is told at most once: when the same state is read again, and again, nothing follows', () => {
  for (const before of names) {
    for (const after of names) {
      const read = [before, after, after, after] as const
      const told = read.slice(1).flatMap((name, index) => emailFrom(read[index] ?? name, name) ?? [])
      expect(told.length, `${before} → ${after}: ${told.join()}`).toBeLessThanOrEqual(1)
    }
  }
})

test('nothing is told of what becomes unknown, and an end is told of every state that was in use', () => {
  for (const before of names) {
    expect(emailFrom(before, 'unknownState')).toBeUndefined()
    const hadEnded = states[before].status === 'canceled' || before === 'unknownState'
    expect([before, emailFrom(before, 'canceled')]).toEqual([before, hadEnded ? undefined : 'ended'])
  }
})

test('a new one is told while it is news: bought, on trial, or not paid from the start', () => {
  const fresh = (name: Name) => emailOfChange(undefined, { ...states[name], createdAt: at(28) }, now)
  expect((['active', 'trial', 'pastDue', 'toConfirm', 'canceled', 'unknownState'] as const).map(fresh)).toEqual([
    'started',
    'trialStarted',
    'paymentFailed',
    'confirmPayment',
    undefined,
    undefined,
  ])
  for (const name of names) expect([name, emailOfChange(undefined, states[name], now)]).toEqual([name, undefined])
  expect(emailOfChange(states.unknownState, { ...active, createdAt: at(29) }, now)).toBe('started')
})

test('a retry that has not come yet is not a failure: its date was moved', () => {
  expect(emailOfChange(states.pastDue, states.retried, at(28))).toBeUndefined()
})

test('seats that count as storage since the catalog was edited were not changed', () => {
  const asStorage = { ...active, userCount: 1, storageCapacity: 3 }
  expect(emailOfChange(active, asStorage, now)).toBeUndefined()
  expect(emailOfChange(asStorage, { ...asStorage, storageCapacity: 5 }, now)).toBe('changed')
})
