import Stripe from 'stripe'
import { demoHolders } from '../../demo/folio/cards.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'
import type { StartConfig } from './settings.ts'

type Holder = (typeof demoHolders)[number]

/** The card provider’s stand-in, where it is the provider: with a real one, nothing is made or told by us. */
export function cardProviderStandIn({ ATRIUM_SANDBOX_PORT: port }: StartConfig, environment: NodeJS.ProcessEnv) {
  const address = `http://localhost:${port}`
  const { STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY: key = '', STRIPE_WEBHOOK_SECRETS: secrets = '' } = environment
  if (apiUrl !== address) return undefined
  const [secret = ''] = secrets.split(',')

  return {
    /** It tells account-server of events. A real provider is told the address once, by hand (`docs/operations.md`). */
    async subscribe(): Promise<void> {
      const url = `${environment.PUBLIC_URL}/webhooks/stripe/`
      const reply = await fetch(`${address}/cards/control/webhook-endpoints/`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url, secret: secret.trim(), enabledEvents: ['*'] }),
      })
      if (!reply.ok) throw new Error(`The sandbox does not take the address for events (${reply.status}).`)
    },

    /**
     * Makes the demo’s customers and cards, through the provider’s API, and answers who is who. Made again after a start
     * that was cut off, they are the same: each call has its key.
     */
    demoCustomers(today: Date): Promise<FolioRecord[]> {
      const stripe = new Stripe(key, { host: 'localhost', port, protocol: 'http', telemetry: false })
      return Promise.all(
        demoHolders.map(async (holder) => ({
          type: 'provider-customer',
          email: holder.email,
          customerId: await customerOf(stripe, holder, today),
        })),
      )
    },
  }
}

async function customerOf(stripe: Stripe, { email, firstName, lastName, cards }: Holder, today: Date): Promise<string> {
  const name = `${firstName} ${lastName}`
  const { id: customer } = await stripe.customers.create({ email, name }, { idempotencyKey: `folio ${email}` })
  const ids: string[] = []
  // Lists have the newest first: the last one is made first.
  for (const [place, card] of [...cards.entries()].reverse()) {
    const idempotencyKey = `folio ${email} ${place}`
    const { id } = await stripe.paymentMethods.attach(card.method, { customer }, { idempotencyKey })
    const { line1, city, state = '', zip, country, expires } = card
    await stripe.paymentMethods.update(id, {
      billing_details: { name, address: { line1, city, state, postal_code: zip, country } },
      card: { exp_month: expires.month, exp_year: today.getUTCFullYear() + expires.years },
      metadata: { firstName, lastName },
    })
    ids.unshift(id)
  }
  const [first] = ids
  if (first) await stripe.customers.update(customer, { invoice_settings: { default_payment_method: first } })
  return customer
}
