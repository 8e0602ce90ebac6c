import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

/** The page of an open invoice. */
async function openInvoice(card = 'pm_card_visa') {
  const { id: customer } = await billing.customer(card, { name: 'Ada (Lovelace)' })
  const { id: price } = await billing.price(1000)
  const made = await world.stripe.subscriptions.create({
    customer,
    items: [{ price, quantity: 12 }],
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice'],
  })
  const invoice = made.latest_invoice
  if (invoice === null || typeof invoice === 'string') throw new Error('is not expanded')
  const [method] = (await world.stripe.paymentMethods.list({ customer })).data
  return {
    subscription: made.id,
    id: invoice.id,
    path: new URL(invoice.hosted_invoice_url ?? '').pathname,
    card: method?.id ?? '',
  }
}

test('an open invoice is shown, and paid with a card on file', async () => {
  const { path, card, id, subscription } = await openInvoice()
  const shown = await world.page(path)
  expect(shown.text).toContain('stands for the card provider')
  expect(shown.text).toContain('Pay 120.00 USD')
  expect(shown.text).toContain('visa •••• 4242')

  expect((await world.press(path, `card=${card}`)).headers.location).toBe(path)
  expect((await world.stripe.invoices.retrieve(id)).status).toBe('paid')
  expect((await world.stripe.subscriptions.retrieve(subscription)).status).toBe('active')
  expect((await world.page(path)).text).not.toContain('<form')
})

test('an invoice is paid with a new card, which is then on file', async () => {
  const { path, id } = await openInvoice()
  const declined = await world.press(path, 'card=&number=4000000000000002&expiry=12/40&cvc=123')
  expect(declined.statusCode).toBe(402)
  expect(declined.body).toContain('Your card was declined.')
  expect((await world.press(path, 'card=&number=123&expiry=x&cvc=')).statusCode).toBe(402)

  expect((await world.press(path, 'card=&number=5555555555554444&expiry=12/40&cvc=123')).statusCode).toBe(303)
  const invoice = await world.stripe.invoices.retrieve(id)
  expect(invoice.status).toBe('paid')
  const { data } = await world.stripe.paymentMethods.list({ customer: String(invoice.customer) })
  expect(data.map(({ card }) => card?.brand).sort()).toEqual(['mastercard', 'visa'])
})

test('numbers that were typed win over the card that is still selected', async () => {
  const { path, card, id } = await openInvoice()
  const typed = `card=${card}&number=5555555555554444&expiry=12/40&cvc=123`
  expect((await world.press(path, typed)).statusCode).toBe(303)
  const { customer, status } = await world.stripe.invoices.retrieve(id)
  const { data } = await world.stripe.paymentMethods.list({ customer: String(customer) })
  expect([status, ...data.map(({ card }) => card?.brand).sort()]).toEqual(['paid', 'mastercard', 'visa'])
})

test('a bank that asks is answered on its page, which leads back to the invoice', async () => {
  const { path, card, id } = await openInvoice('pm_card_authenticationRequired')
  const asked = await world.press(path, `card=${card}`)
  expect(asked.headers.location).toMatch(/^\/cards\/authenticate\/\w{32}$/)
  const answered = await world.press(String(asked.headers.location), 'answer=complete')

  expect(answered.statusCode).toBe(303)
  expect(new URL(String(answered.headers.location)).pathname).toBe(path)
  expect((await world.stripe.invoices.retrieve(id)).status).toBe('paid')
})

test('a question that the bank asks already is continued, and another card ends it', async () => {
  const { path, card, id } = await openInvoice('pm_card_authenticationRequired')
  const asked = String((await world.press(path, `card=${card}`)).headers.location)
  expect((await world.page(path)).text).toContain('Confirm the payment')
  expect((await world.press(path, `card=${card}`)).headers.location).toBe(asked)

  expect((await world.press(path, 'card=&number=5555555555554444&expiry=12/40&cvc=123')).headers.location).toBe(path)
  expect((await world.stripe.invoices.retrieve(id)).status).toBe('paid')
  expect((await world.page(asked)).status).toBe(404)
})

test('what is paid is not paid again by a page that was left open', async () => {
  const { path, card, id } = await openInvoice()
  for (let time = 0; time < 2; time += 1) {
    expect((await world.press(path, `card=${card}`)).headers.location).toBe(path)
  }
  const { customer } = await world.stripe.invoices.retrieve(id)
  expect((await world.stripe.charges.list({ customer: String(customer) })).data).toHaveLength(1)
})

test('the document of an invoice is a PDF whose cross-references are right', async () => {
  const { path } = await openInvoice()
  const reply = await world.app.inject({ url: `${path}/pdf` })
  const text = reply.rawPayload.toString('latin1')

  expect(reply.headers['content-type']).toBe('application/pdf')
  expect(text.startsWith('%PDF-1.4')).toBe(true)
  expect(text).toContain('Ada \\(Lovelace\\)')
  expect(text).toContain('Total: 120.00 USD')
  const start = Number(/startxref\n(\d+)/.exec(text)?.[1])
  expect(text.slice(start, start + 4)).toBe('xref')
  const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset))
  for (const [place, offset] of offsets.entries()) expect(text.slice(offset)).toMatch(new RegExp(`^${place + 1} 0 obj`))
})

test('nobody guesses the page of an invoice, and another page cannot pay', async () => {
  const { path, card } = await openInvoice()
  expect((await world.page(`/cards/invoices/${'0'.repeat(32)}`)).status).toBe(404)
  expect((await world.page('/cards/invoices/x')).status).toBe(404)
  const foreign = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://other.test' },
    payload: `card=${card}`,
  })
  expect(foreign.statusCode).toBe(403)
})
