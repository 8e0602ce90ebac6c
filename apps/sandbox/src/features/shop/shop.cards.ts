import type Stripe from 'stripe'
import { type Buyer, isCommitted, type Offer } from './shop.rules.ts'

/** A card of the card provider that is always accepted. */
const testCard = 'pm_card_visa'

const trialDays = 14

interface Purchase {
  /** Sent twice, it is one purchase. */
  order: string
  offer: Offer
  seats: number
  buyer: Buyer
  /** Signed; undefined: the vendor's shop has no secret. */
  reference: string | undefined
}

/** The shop at the card provider, through its official SDK. */
export function cardShop(stripe: Stripe) {
  /** Who bought before keeps their customer. */
  async function customerOf({ email, name, country }: Buyer): Promise<string> {
    const [known] = (await stripe.customers.list({ email, limit: 1 })).data
    return (known ?? (await stripe.customers.create({ email, name, address: { country } }))).id
  }

  /** The buyer is bound for a year from the start. */
  async function commit({ id, start_date: start }: Stripe.Subscription): Promise<void> {
    const end = new Date(start * 1000)
    end.setUTCFullYear(end.getUTCFullYear() + 1)
    await stripe.subscriptions.update(id, { metadata: { commitmentEnd: end.toISOString() } })
  }

  /** Afterwards, since what is sent twice is sent with the same parameters. */
  async function refer({ id }: Stripe.Subscription, accountReference: string | undefined): Promise<void> {
    if (accountReference) await stripe.subscriptions.update(id, { metadata: { accountReference } })
  }

  return {
    /** What is on sale for a term, in the order of the products. */
    async offers(): Promise<Offer[]> {
      const prices = await stripe.prices
        .list({ active: true, type: 'recurring', expand: ['data.product'], limit: 100 })
        .autoPagingToArray({ limit: 1000 })
      return prices
        .flatMap((price) => offerFrom(price) ?? [])
        .sort((one, other) => one.product.localeCompare(other.product) || one.amount - other.amount)
    },

    /** @returns the provider's page where the first invoice is paid */
    async subscribe({ order, offer, seats, buyer, reference }: Purchase): Promise<string> {
      const wanted: Stripe.SubscriptionCreateParams = {
        customer: await customerOf(buyer),
        items: [{ price: offer.priceId, quantity: seats }],
        // The country alone does not say the rate in the United States.
        automatic_tax: { enabled: buyer.country !== 'US' },
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        expand: ['latest_invoice'],
      }
      const made = await stripe.subscriptions.create(wanted, { idempotencyKey: order })
      await refer(made, reference)
      if (isCommitted(offer)) await commit(made)
      const { latest_invoice: invoice } = made
      return (typeof invoice === 'object' && invoice?.hosted_invoice_url) || ''
    },

    /** A free trial; without a card it ends by itself. */
    async startTrial({ order, offer, seats, buyer, reference }: Purchase, hasCard: boolean): Promise<void> {
      const customer = await customerOf(buyer)
      const onceOnly = { idempotencyKey: `${order} card` }
      const method = hasCard ? (await stripe.paymentMethods.attach(testCard, { customer }, onceOnly)).id : undefined
      const wanted: Stripe.SubscriptionCreateParams = {
        customer,
        items: [{ price: offer.priceId, quantity: seats }],
        trial_period_days: trialDays,
        trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
        ...(method && { default_payment_method: method }),
      }
      await refer(await stripe.subscriptions.create(wanted, { idempotencyKey: order }), reference)
    },
  }
}

function offerFrom({
  id,
  product,
  unit_amount: amount,
  currency,
  recurring,
  lookup_key: lookupKey,
}: Stripe.Price): Offer | undefined {
  if (typeof product === 'string' || !('name' in product) || !product.active || amount === null || !recurring)
    return undefined
  const code = product.metadata.code ?? product.id
  const { interval, interval_count: count } = recurring
  const key = lookupKey ?? ''
  return {
    priceId: id,
    code,
    product: product.name,
    amount,
    currency: currency.toUpperCase(),
    interval,
    count,
    lookupKey: key,
  }
}
