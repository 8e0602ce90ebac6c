import { expect, test } from 'vitest'
import { codeEmails, doneEmails } from './transfer-emails.ts'
import type { Offer, OfferedSubscription } from './transfers.tables.ts'

const config = { BRAND_NAME: 'Folio', BRAND_COLOR: '#3b51c4', PUBLIC_URL: 'https://my.example.test' }
const sender = { firstName: 'Ada', lastName: 'King', email: 'ada@example.test', locale: 'en-us' as const }
const recipient = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.test', locale: 'en-us' as const }
const codes = { current: '123456', recipient: '654321' }

const size = { parentName: '', userCount: 3, storageCapacity: 0, connectors: 0, term: 'monthly' as const }
const one = { subscriptionId: 'sub_1', productName: 'Editor', ...size, until: '2026-12-24T10:00:00.000Z' }
const price = { amount: 3000, currency: 'USD' }
const byCard: OfferedSubscription = { ...one, renewal: { ...price, needsOnlyCard: true } }
const byPaypal: OfferedSubscription = { ...one, renewal: { ...price, needsOnlyCard: false } }
const card = { brand: 'visa', last4: '4242' }

const asked = (offer: Offer) => codeEmails(config, { sender, recipient, offer, codes, lang: 'en-us' })
const done = (offer: Offer, hasKeys = false) => doneEmails(config, { sender, recipient, offer, hasKeys })

const rule = 'and so does everything else if the recipient has no card on file'
const payment = 'https://my.example.test/account?tab=payment-option-management'

test('before the codes are used, the sender reads the same rule whatever card the recipient has', () => {
  const without = asked({ subscriptions: [byCard] }).current
  const { renewal: _, ...rest } = byCard
  const withCard = asked({ subscriptions: [{ ...rest, charge: price }], card }).current
  expect(without).toEqual(withCard)
  expect(without.text).toContain(rule)
})

test('before the codes are used, the sender reads of each when it ends, whoever receives it', () => {
  const prepaid = { ...one, productName: 'Prepaid', term: 'paid_yearly' as const }
  const { text, html } = asked({ subscriptions: [prepaid, byPaypal, byCard, { ...one, until: '' }], card }).current
  expect(text).toContain('Prepaid\n3 seats\nEnds on December 24, 2026\n')
  expect(text).toContain('Ends on December 24, 2026, unless the recipient turns auto-renewal on')
  expect(text).toContain('Paid with the recipient’s card from December 24, 2026, or ends then')
  expect(text).toContain('No end date')
  expect(html).toContain('Paid with the recipient’s card')
})

test('without a card, the recipient reads until when each lasts, what a card changes, and where to add it', () => {
  const { text, html } = asked({ subscriptions: [byCard] }).recipient
  expect(text).toContain('3 seats · Monthly')
  expect(text).toContain('Without a card on file, it ends on December 24, 2026.')
  expect(text).toContain('With one, it goes on, and $30.00 plus any tax is charged that day.')
  expect(text).toContain('add a card before you give Ada King the code')
  expect(text).toContain('if you have added a card by then, the charges above')
  expect(text).toContain(payment)
  expect(html).toContain('tab=payment-option-management')
})

test('a card changes nothing about what PayPal pays for: the recipient turns it on', () => {
  for (const offer of [{ subscriptions: [byPaypal] }, { subscriptions: [byPaypal], card }]) {
    const { text } = asked(offer).recipient
    expect(text).toContain('It ends on December 24, 2026, unless you turn auto-renewal on before then.')
    expect(text).toContain('you accept the transfer:')
    expect(text).not.toContain('before you give')
  }
})

test('once transferred, both read what ends when, and the recipient how to keep it', () => {
  const { sender: sent, recipient: received } = done({ subscriptions: [byCard] })
  expect(sent.text).toContain('Ends on December 24, 2026, unless the recipient turns auto-renewal on')
  expect(received.text).toContain('It ends on December 24, 2026, unless you turn auto-renewal on before then.')
  expect(received.text).toContain('You have no card on file.')
  expect(received.text).toContain(payment)

  const paypals = done({ subscriptions: [byPaypal], card }).recipient.text
  expect(paypals).toContain('turn auto-renewal on in My Subscriptions before its end date')
  expect(paypals).not.toContain('You have no card on file.')
  expect(paypals).not.toContain(payment)
})

test('what ends for good, goes on or has no end is said as it is', () => {
  const subscriptions = [one, { ...one, charge: price }, { ...one, until: '' }]
  const { sender: sent, recipient: received } = done({ subscriptions, card })
  expect(sent.text).toContain('Ends on December 24, 2026\n')
  expect(sent.text).toContain('Paid by the recipient from December 24, 2026')
  expect(sent.text).toContain('No end date')
  expect(received.text).toContain('It ends on December 24, 2026. You won’t be charged for it.')
  expect(received.text).toContain('will be charged to Visa ••••\u00a04242.')
  expect(received.text).toContain('buy it in your account')
  expect(received.text).not.toContain('turn auto-renewal on')
})

test('an add-on is called one, before and after, to both', () => {
  const addOn = { ...byCard, productName: 'Connector', parentName: 'Editor' }
  const before = asked({ subscriptions: [addOn] })
  const after = done({ subscriptions: [addOn] })
  for (const { text } of [before.current, after.sender]) expect(text).toContain('3 seats · Add-on of Editor\n')
  for (const { text } of [before.recipient, after.recipient]) {
    expect(text).toContain('3 seats · Monthly · Add-on of Editor\n')
  }
})

test('a trial is called one, before and after, to both: it ends, and is paid from then', () => {
  const trial = { ...byCard, isTrial: true } as const
  const { renewal: _, ...rest } = trial
  const before = asked({ subscriptions: [trial] })
  const after = done({ subscriptions: [{ ...rest, charge: price }], card })
  for (const { text } of [before.current, after.sender]) expect(text).toContain('3 seats · Trial\nPaid ')
  for (const { text } of [before.recipient, after.recipient]) expect(text).toContain('3 seats · Monthly · Trial\n')
  for (const { text } of [...Object.values(before), ...Object.values(after)]) expect(text).not.toMatch(/renews/i)
})

test('the recipient reads that the sender may know the keys, if there are any, and what to do about it', () => {
  const { text, html } = done({ subscriptions: [one] }, true).recipient
  for (const written of [text, html]) {
    expect(written).toContain('Ada King may still know the license keys')
    expect(written).toContain('contact our support')
  }
  expect(done({ subscriptions: [one] }).recipient.text).not.toContain('license keys')
})
