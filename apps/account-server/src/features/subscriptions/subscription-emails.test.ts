import { locales } from '@atrium/contract/locale.ts'
import { formatDay } from '@atrium/server-kit/formats.ts'
import { expect, test } from 'vitest'
import type { SubscriptionEmail } from './subscription-emails.rules.ts'
import { type EmailContext, subscriptionEmail } from './subscription-emails.ts'

const at = (day: number) => new Date(Date.UTC(2026, 5, day))

const row: EmailContext['row'] = {
  ...{ id: 'sub_1', memberId: '', productCode: 'FPEPB', status: 'active', userCount: 1200, origin: 'online' },
  ...{ channel: 'card', autoRenew: true, periodStart: at(1), periodEnd: at(30), trialEnd: at(24), cancelAt: at(25) },
  ...{ pastDueSince: null, endedAt: null, orgCode: '', createdAt: at(1), term: 'yearly', price: 123_456 },
  ...{ currency: 'EUR', storageCapacity: 0, connectors: 3, parentId: null, isPriceHidden: false, manageUrl: '' },
  ...{
    isOtherCurrency: false,
    importedFor: null,
    trialProduct: null,
    lateIncreases: [],
    isCanceledWithParent: false,
    providerItems: [],
    isPooled: false,
    providerId: 'sub_1',
    commitmentEnd: null,
    ownCard: '',
    payingCard: null,
    dueAmount: 98_765,
    dueUrl: 'https://pay.example',
  },
  ...{
    nextAttemptAt: at(28),
    needsConfirmation: false,
    isRenewing: false,
    isProviderTrial: false,
    pendingPlanId: null,
  },
  ...{
    pendingQuantity: null,
    nextPlan: null,
    syncNumber: 1,
    declineCode: '',
    declinedCard: '',
    lastDecline: null,
    pendingChange: null,
    customerId: 'cus_1',
    proof: null,
    paidUntil: null,
    paidBy: null,
    pendingApproval: null,
  },
}
const renewing = { ...row, cancelAt: null }
const item: EmailContext['row']['providerItems'][number] = {
  productCode: 'FPEPB',
  id: 'si_1',
  priceId: 'price_1',
  quantity: 1,
  isConnector: false,
  amount: 100,
}

const rows: Record<SubscriptionEmail, EmailContext['row']> = {
  started: renewing,
  trialStarted: { ...renewing, status: 'trialing' },
  renewed: renewing,
  paymentFailed: { ...renewing, status: 'past_due', pastDueSince: at(1) },
  confirmPayment: { ...renewing, status: 'past_due', pastDueSince: at(1), needsConfirmation: true },
  recovered: renewing,
  renewalOff: row,
  renewalOn: renewing,
  changed: { ...renewing, userCount: 1, storageCapacity: 4 },
  changeUnconfirmed: { ...renewing, channel: 'paypal', pendingPlanId: 'P-1' },
  changeAhead: { ...renewing, channel: 'paypal', pendingPlanId: 'P-1' },
  changeConfirmed: { ...renewing, channel: 'paypal' },
  oldPlanRenewed: { ...renewing, channel: 'paypal' },
  ended: { ...row, status: 'canceled', endedAt: at(25) },
  endSoon: row,
  renewSoon: renewing,
  confirmSoon: { ...renewing, channel: 'paypal', pendingPlanId: 'P-1' },
  trialEnding: { ...renewing, status: 'trialing' },
  trialRenewing: { ...renewing, status: 'trialing' },
  trialCardExpires: { ...renewing, status: 'trialing' },
  trialEnded: { ...row, status: 'canceled', cancelAt: null, endedAt: at(24) },
  trialPaid: renewing,
}
const kinds = Object.keys(rows).filter((kind): kind is SubscriptionEmail => kind in rows)

function written(kind: SubscriptionEmail, context: Partial<EmailContext> = {}) {
  return subscriptionEmail(kind, {
    row: rows[kind],
    productName: 'Folio PDF Editor+',
    member: { firstName: 'Ada', lastName: 'Lindqvist', locale: 'en-us' },
    brandName: 'Folio',
    brandColor: '#b3261e',
    publicUrl: 'https://account.folio.test',
    pastDueDays: 21,
    now: at(1),
    ...context,
  })
}

/** The dates that an email must name. */
const named: Partial<Record<SubscriptionEmail, Date>> = {
  trialStarted: at(24),
  paymentFailed: at(28),
  renewalOff: at(25),
  changeUnconfirmed: at(30),
  changeAhead: at(30),
  changeConfirmed: at(30),
  renewalOn: at(30),
  ended: at(25),
  endSoon: at(25),
  confirmPayment: at(22),
  renewSoon: at(30),
  confirmSoon: at(30),
  trialEnding: at(24),
  trialEnded: at(24),
  trialRenewing: at(24),
  trialCardExpires: at(24),
}

test.each(locales.map(({ code }) => code))('%s: every email is written, with nothing left open', (locale) => {
  const subjects = new Set<string>()
  for (const kind of kinds) {
    const { subject, text, html } = written(kind, { member: { firstName: 'Ada', lastName: 'Lindqvist', locale } })
    for (const part of [subject, text, html]) {
      expect(part, kind).not.toMatch(/\{\{|\}\}|subscription\.\w|undefined|null|NaN|Invalid/)
      expect(part, kind).not.toMatch(/\.\./)
    }
    expect(text, kind).not.toMatch(/: $/m)
    expect(subject).toContain('Folio PDF Editor+')
    const day = named[kind]
    const shown = day && formatDay(locale, day)
    if (shown) expect(text, kind).toContain(shown)
    expect(html).toContain(`<html lang="${locale}">`)
    subjects.add(subject)
  }
  expect(subjects.size).toBe(kinds.length)
})

test('no language repeats the English words', () => {
  for (const kind of kinds) {
    const texts = locales.map(({ code: locale }) => written(kind, { member: { firstName: '', lastName: '', locale } }))
    expect(new Set(texts.map(({ subject }) => subject)).size).toBe(locales.length)
    expect(new Set(texts.map(({ text }) => text)).size).toBe(locales.length)
  }
})

test('an end for want of payment says so in every language, with what to do; one that was chosen, or a partner’s, does not', () => {
  const ended = { ...rows.ended, cancelAt: null, pastDueSince: at(4) }
  const texts = locales.map(({ code: locale }) => {
    const member = { firstName: 'Ada', lastName: 'Lindqvist', locale }
    const { text } = written('ended', { row: ended, member })
    expect(text).not.toMatch(/\{\{|subscription\.\w/)
    expect(text).toContain('Folio PDF Editor+')
    return text
  })
  expect(new Set(texts).size).toBe(locales.length)
  expect(texts[0]).toContain(
    'ended on June 25, 2026 because we did not receive a payment that was due. To use it again, check your payment method',
  )
  const others = [{ cancelAt: at(25) }, { pastDueSince: null }, { isPriceHidden: true }]
  for (const other of others) expect(written('ended', { row: { ...ended, ...other } }).text).not.toContain('because')
})

test('a failed payment says how much, when it is tried again, and leads to where it is paid in that language', () => {
  const member = { firstName: 'Ada', lastName: 'Lindqvist', locale: 'de-de' as const }
  const { subject, text, html } = written('paymentFailed', { member })

  expect(subject).toBe('Ihre Zahlung für Folio PDF Editor+ ist fehlgeschlagen')
  expect(text).toContain('987,65\u00A0€')
  expect(text).toContain('28. Juni 2026')
  expect(text).toContain('Der Zugriff besteht bis 22. Juni 2026 weiter.')
  const address = 'https://account.folio.test/de/account?tab=my-subscriptions'
  expect(text).toContain(`Jetzt bezahlen:\n${address}`)
  expect(html).toContain(`href="${address}"`)
})

test('what PayPal could not collect is not paid here: the note leads to PayPal', () => {
  const { text } = written('paymentFailed', { row: { ...rows.paymentFailed, channel: 'paypal', dueUrl: '' } })
  expect(text).toContain('PayPal')
  expect(text).not.toContain('Pay Now')
})

test('a card without an open invoice is not paid here either: the note leads to the payment options', () => {
  const { text } = written('paymentFailed', { row: { ...rows.paymentFailed, dueUrl: '' } })
  expect(text).toContain('under Payment Option,')
  expect(text).not.toContain('To pay now')
})

test.each([
  ['ends, and auto-renewal can be turned on', 'endSoon', row, 'my-subscriptions'],
  ['is a prepaid term', 'endSoon', { ...row, term: 'paid_yearly', providerId: null, cancelAt: null }, 'my-products'],
  ['moved here, and ends for good', 'renewalOff', { ...row, providerId: null, endedAt: at(25) }, 'my-products'],
  ['is a trial that no provider bills', 'endSoon', { ...rows.trialEnding, providerId: null }, 'my-products'],
  [
    'moved here with what a card can pay',
    'endSoon',
    { ...row, providerId: null, providerItems: [item] },
    'my-subscriptions',
  ],
  ['was given', 'endSoon', { ...row, origin: 'given', channel: 'invoice', providerId: null }, 'my-products'],
  ['has ended', 'ended', rows.ended, 'my-products'],
  ['was a trial', 'trialEnded', rows.trialEnded, 'my-products'],
  ['was agreed with sales', 'endSoon', { ...row, origin: 'offline', channel: 'invoice' }, 'my-products&list=offline'],
] as const)('the email about the end of what %s leads to where it can be continued', (_what, kind, ending, tab) => {
  const { text, html } = written(kind, { row: ending })
  expect(text).toMatch(new RegExp(`tab=${tab}\n`))
  expect(html).toContain(`tab=${tab.replace('&', '&#38;')}"`)
  expect(text).toContain(tab === 'my-subscriptions' ? 'Open My Subscriptions:' : 'Open My Products:')
})

test('a payment that the bank wants confirmed has a button that says so', () => {
  expect(written('confirmPayment').text).toContain('Confirm payment:')
})

test('a hidden price is in no email, and neither is what is due', () => {
  for (const kind of kinds) {
    const { text, html } = written(kind, { row: { ...rows[kind], isPriceHidden: true } })
    for (const part of [text, html]) expect(part, kind).not.toMatch(/1,234|987\.65|€/)
  }
})

test.each(['paymentFailed', 'confirmPayment'] as const)('%s says what becomes of what is held back', (kind) => {
  const sentence = 'What was added shortly before the renewal will be available again once the payment has been made.'
  const connectors = { ...item, isConnector: true, quantity: 3 }
  const text = (billed: typeof item, more: Partial<EmailContext['row']> = {}) =>
    written(kind, { row: { ...rows[kind], providerItems: [billed, connectors], ...more } }).text
  expect(text({ ...item, quantity: 1201 })).toContain(sentence)
  expect(text({ ...item, quantity: 1200 }, { connectors: 2 })).toContain(sentence)
  expect(text({ ...item, quantity: 4 }, { userCount: 1, storageCapacity: 2 })).toContain(sentence)
  expect(text({ ...item, quantity: 1200 })).not.toContain(sentence)
  expect(text({ ...item, quantity: 4 }, { userCount: 1, storageCapacity: 4 })).not.toContain(sentence)
  expect(text({ ...item, quantity: 1201 }, { channel: 'paypal' })).not.toContain(sentence)
})

test.each(['paymentFailed', 'confirmPayment'] as const)('%s of what a partner sold leads to the partner', (kind) => {
  const { subject, text, html } = written(kind, { row: { ...rows[kind], isPriceHidden: true } })
  expect(subject).toBe('The payment for Folio PDF Editor+ failed')
  expect(text).toContain('You bought this subscription through a partner.')
  expect(text).toContain('Access continues until June 22, 2026.')
  for (const part of [text, html]) expect(part).not.toMatch(/Pay Now|pay now|Confirm payment|Payment Option/)
})

test('ahead of a renewal, a change that is not confirmed at PayPal is said, and its price is not yet the next one', () => {
  const unconfirmed = { ...renewing, channel: 'paypal', pendingPlanId: 'P-1' } as const
  const { text } = written('renewSoon', { row: unconfirmed })
  expect(text).toContain('Without your confirmation, the old plan renews.')
  expect(text).toContain('Confirm renewal:')
  expect(text).not.toContain('€')
  expect(written('renewSoon').text).toContain('€1,234.56')
})

test.each([
  ['what renews', 'renewed', renewing, 'Renews on: June 30, 2026, for €1,234.56 plus any tax'],
  ['what ends', 'changed', row, 'Ends on: June 25, 2026\n'],
  ['a prepaid term', 'renewed', { ...renewing, term: 'paid_yearly' }, 'Ends on: June 30, 2026\n'],
  ['what has no known price', 'started', { ...renewing, price: null }, 'Renews on: June 30, 2026\n'],
  ['a trial', 'trialRenewing', rows.trialRenewing, 'Price: €1,234.56 plus any tax\n'],
] as const)('%s says what is charged next, and when: what was paid is in the receipt', (_what, kind, row, line) => {
  const { text } = written(kind, { row })
  expect(text).toContain(line)
  expect(text.match(/€/g) ?? []).toHaveLength(line.includes('€') ? 1 : 0)
})

test('amounts have the digits of their currency', () => {
  const yen = { ...renewing, currency: 'JPY', price: 12_000 }
  const member = { firstName: 'Ada', lastName: 'Lindqvist', locale: 'ja-jp' as const }
  expect(written('renewed', { row: yen, member }).text).toMatch(/[¥￥]12,000/)
})

test('a final end does not offer to renew again', () => {
  expect(written('renewalOff').text).toContain('turn automatic renewal on again')
  expect(written('renewalOff', { row: { ...row, endedAt: at(25) } }).text).not.toContain('on again')
})

test.each(['renewalOff', 'endSoon'] as const)(
  '%s of what ends for its currency says so, and not to turn it on',
  (kind) => {
    const ending = { ...row, providerId: null, isOtherCurrency: true, endedAt: at(25) }
    const { text } = written(kind, { row: ending })
    expect(text).toContain('your account can’t be billed in EUR')
    expect(text).toContain('buy a new subscription')
    expect(text).not.toMatch(/turn (automatic|auto-)renewal on|what you can do to keep it/)
  },
)

test('a product’s name cannot break out of the HTML, nor start a header', () => {
  const { subject, html } = written('started', { productName: 'A<b>\r\nBcc: x@example.test' })
  expect(html).not.toContain('<b>')
  expect(subject).not.toMatch(/[\r\n]/)
})
