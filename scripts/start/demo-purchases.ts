import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import { openPayments, type Purchase, purchases } from '../../demo/folio/billing.ts'

interface Where {
  stripe: Stripe
  /** Of the sandbox. */
  address: string
  hasPaypal: boolean
  /** At the card provider, by e-mail. */
  customers: ReadonlyMap<string, string>
}

/** A test card that is always accepted. */
const goodCard = 'pm_card_visa'

const hourMs = 3_600_000

/** The providers' ids by the names of the records. */
export type PurchaseIds = Readonly<Record<string, string>>

/**
 * What the cast bought, made at the providers by their own APIs at the moments at which it was: the sandbox's clock goes back for it.
 * @param ids of what an interrupted start has bought
 * @param keep stores the ids after each purchase
 */
export async function demoPurchases(
  where: Where,
  { today, ids: bought, keep }: { today: Date; ids: PurchaseIds; keep(ids: PurchaseIds): Promise<void> },
): Promise<PurchaseIds> {
  const { stripe, address, customers, hasPaypal } = where
  let ids = await known(stripe, bought)
  const all = purchases(today).filter(({ provider }) => provider === 'card' || hasPaypal)
  const [first] = all
  if (first) await control(address, 'set-back', new Date(first.at.getTime() - hourMs))
  for (const purchase of all) {
    if (ids[purchase.name]) continue
    await control(address, 'advance', purchase.at)
    const customer = customers.get(purchase.email) ?? ''
    const id =
      purchase.provider === 'paypal'
        ? await buyAtPaypal(where, purchase)
        : await subscribe(where, purchase, { customer, ids })
    ids = { ...ids, [purchase.name]: id }
    await keep(ids)
  }
  for (const payment of openPayments) {
    await control(address, 'advance', new Date(Date.now() - payment.daysAgo * 24 * hourMs))
    const id = ids[payment.name]
    if (id) await leaveOpen(stripe, id, payment)
  }
  await control(address, 'advance', new Date())
  return ids
}

/** An interrupted start repeats the calls with their keys. */
async function leaveOpen(stripe: Stripe, id: string, payment: (typeof openPayments)[number]): Promise<void> {
  const { customer, items } = await stripe.subscriptions.retrieve(id)
  const payer = typeof customer === 'string' ? customer : customer.id
  const once = (step: string) => ({ idempotencyKey: `demo-${id}-${step}` })
  if (payment.is === 'invoice') {
    const { text: description, amount, currency } = payment
    const beside = { customer: payer, subscription: id }
    await stripe.invoiceItems.create({ ...beside, description, amount, currency }, once('item'))
    await stripe.invoices.create({ ...beside, auto_advance: true }, once('invoice'))
    return
  }
  await payingWith(stripe, { payer, card: 'pm_card_authenticationRequired' }, async () => {
    const changed = items.data.map((item) => ({ id: item.id, quantity: payment.quantity }))
    const behavior = { payment_behavior: 'pending_if_incomplete', proration_behavior: 'always_invoice' } as const
    await stripe.subscriptions.update(id, { items: changed, ...behavior }, once('seats'))
  })
}

/** Nothing if the ids are of another database, whose provider is gone. */
async function known(stripe: Stripe, ids: PurchaseIds): Promise<PurchaseIds> {
  const found = await stripe.subscriptions.list({ status: 'all', limit: 100 }).autoPagingToArray({ limit: 1000 })
  return found.some(({ id }) => Object.values(ids).includes(id)) ? ids : {}
}

/** A clock that has moved on since an interrupted start stays where it is. */
async function control(address: string, act: 'set-back' | 'advance', to: Date): Promise<void> {
  const reply = await fetch(`${address}/clock/control/${act}/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: to.toISOString() }),
  })
  const { code } = z.object({ code: z.string().optional() }).parse(await reply.json())
  if (reply.ok || code === 'clock_cannot_go_back' || code === 'clock_only_forward') return
  throw new Error(`The sandbox answers ${reply.status} to the clock's ${act}.`)
}

interface Customer {
  customer: string
  /** Of what was bought before. */
  ids: PurchaseIds
}

/** The first payment is made with a good card, whatever the customer has on file since. */
async function subscribe({ stripe }: Where, purchase: Purchase, { customer, ids }: Customer): Promise<string> {
  const { items, trialEnd, isCanceled, commitmentEnd, parent } = purchase
  const { data: prices } = await stripe.prices.list({ lookup_keys: items.map(({ price }) => price) })
  const idOf = (price: string) => prices.find(({ lookup_key: key }) => key === price)?.id ?? price
  return payingWith(stripe, { payer: customer, card: goodCard }, async () => {
    const { id } = await stripe.subscriptions.create({
      customer,
      items: items.map(({ price, quantity }) => ({ price: idOf(price), quantity })),
      ...(trialEnd && { trial_end: Math.trunc(trialEnd.getTime() / 1000) }),
      ...(isCanceled && { cancel_at_period_end: true }),
      metadata: {
        ...(commitmentEnd && { commitmentEnd: commitmentEnd.toISOString() }),
        ...(parent && { parent: ids[parent] ?? '' }),
      },
    })
    return id
  })
}

interface Payer {
  /** Of a customer. */
  payer: string
  /** A test payment method. */
  card: string
}

/** With another default card for the moment than the customer has on file. */
async function payingWith<Done>(
  stripe: Stripe,
  { payer: customer, card }: Payer,
  pay: () => Promise<Done>,
): Promise<Done> {
  const found = await stripe.customers.retrieve(customer)
  const onFile = found.deleted ? null : found.invoice_settings.default_payment_method
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  const done = await pay()
  await stripe.paymentMethods.detach(id)
  if (typeof onFile === 'string') {
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: onFile } })
  }
  return done
}

/** In the vendor's shop. */
async function buyAtPaypal({ stripe, address }: Where, { email, items }: Purchase): Promise<string> {
  const [item] = items
  const { data: prices } = await stripe.prices.list({ lookup_keys: [item?.price ?? ''] })
  const order = { order: randomUUID(), price: prices[0]?.id ?? '', seats: String(item?.quantity ?? 1) }
  const sold = await fetch(`${address}/site/shopping`, {
    method: 'POST',
    headers: { origin: address },
    body: new URLSearchParams({ ...order, name: email, email, country: 'JP', pay: 'paypal' }),
    redirect: 'manual',
  })
  const approved = await fetch(`${address}/paypal/control/approvals/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link: sold.headers.get('location'), answer: 'approve' }),
  })
  const { location } = z.object({ location: z.string() }).parse(await approved.json())
  return new URL(location).searchParams.get('subscription_id') ?? ''
}
