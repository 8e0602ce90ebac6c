import type Stripe from 'stripe'
import type { newCardsWorld } from './cards.ts'

type World = Awaited<ReturnType<typeof newCardsWorld>>

/** Makes what subscriptions need: prices and customers with a card. */
export function newBilling({ stripe, app }: World) {
  let product: Promise<Stripe.Product> | undefined
  const billing = {
    async price(unit_amount: number, more: Partial<Stripe.PriceCreateParams> = {}) {
      product ??= stripe.products.create({ name: 'Editor' })
      const { id } = await product
      return stripe.prices.create({
        product: id,
        currency: 'usd',
        unit_amount,
        recurring: { interval: 'month' },
        ...more,
      })
    },
    async oneTime(unit_amount: number, currency = 'usd') {
      product ??= stripe.products.create({ name: 'Editor' })
      return stripe.prices.create({ product: (await product).id, currency, unit_amount })
    },
    /** With the card as its default. */
    async customer(card = 'pm_card_visa', more: Stripe.CustomerCreateParams = {}) {
      return stripe.customers.create({
        payment_method: card,
        invoice_settings: { default_payment_method: card },
        ...more,
      })
    },
    /** Replaces the default card. */
    async useCard(customer: string, card: string) {
      const { id } = await stripe.paymentMethods.attach(card, { customer })
      await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
      return id
    },
    /** Moves the business clock, by seconds or to a moment in epoch seconds. */
    async advance(wanted: { seconds: number } | { to: number }) {
      const payload = 'to' in wanted ? { to: new Date(wanted.to * 1000).toISOString() } : wanted
      const reply = await app.inject({ method: 'POST', url: '/clock/control/advance/', payload })
      if (reply.statusCode !== 200) throw new Error(reply.body)
      return reply.json()
    },
    async now() {
      const reply = await app.inject({ url: '/clock/control/' })
      return Math.floor(new Date(reply.json().now).getTime() / 1000)
    },
    /** The types of the events about an object or its parts since the last call, oldest first. */
    async events(about: string) {
      const { data } = await stripe.events.list({ limit: 100 })
      return data
        .filter((event) => JSON.stringify(event.data.object).includes(about))
        .map(({ type }) => type)
        .toReversed()
    },
    /** A subscription to one price, with the moment at which half of its period has passed. */
    async subscription(amount: number, { card, quantity = 1, ...more }: SubscriptionOptions = {}) {
      const { id: customer } = await billing.customer(card)
      const price = await billing.price(amount, more)
      const made = await stripe.subscriptions.create({ customer, items: [{ price: price.id, quantity }] })
      const [item] = made.items.data
      if (!item) throw new Error('The subscription has no item.')
      const { current_period_start: start, current_period_end: end } = item
      return { customer, price, id: made.id, item, start, end, half: start + (end - start) / 2 }
    },
  }
  return billing
}

interface SubscriptionOptions extends Partial<Stripe.PriceCreateParams> {
  card?: string
  quantity?: number
}

/** The expanded invoice of a subscription. */
export function latestInvoice({
  latest_invoice: invoice,
}: Pick<Stripe.Subscription, 'latest_invoice'>): Stripe.Invoice {
  if (invoice === null || typeof invoice === 'string') throw new Error('The latest invoice is not expanded.')
  return invoice
}
