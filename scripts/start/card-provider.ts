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
    subscribe(): Promise<void> {
      const url = `${environment.PUBLIC_URL}/webhooks/stripe/`
      return control(address, 'webhook-endpoints', { url, secret: secret.trim(), enabledEvents: ['*'] })
    },

    /**
     * Makes the demo’s customers and cards, through the provider’s API, and answers who is who. Made again after a start
     * that was cut off, they are the same: each call has its key.
     */
    demoCustomers(today: Date): Promise<FolioRecord[]> {
      const stripe = new Stripe(key, { host: 'localhost', port, protocol: 'http', telemetry: false })
      // No request of the provider's API makes a card that has run out.
      const setExpiry: SetExpiry = (id, { month, years }) =>
        control(address, `payment-methods/${id}/expiry`, { month, year: today.getUTCFullYear() + years })
      return Promise.all(
        demoHolders.map(async (holder) => ({
          type: 'provider-customer',
          email: holder.email,
          customerId: await customerOf(stripe, holder, setExpiry),
        })),
      )
    },
  }
}

/** Something that nobody asks of a real provider. */
async function control(address: string, path: string, body: object): Promise<void> {
  const reply = await fetch(`${address}/cards/control/${path}/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`The sandbox answers ${reply.status} to ${path}.`)
}

type SetExpiry = (paymentMethodId: string, expires: Holder['cards'][number]['expires']) => Promise<void>

async function customerOf(
  stripe: Stripe,
  { email, firstName, lastName, cards }: Holder,
  setExpiry: SetExpiry,
): Promise<string> {
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
      metadata: { firstName, lastName },
    })
    await setExpiry(id, expires)
    ids.unshift(id)
  }
  const [first] = ids
  if (first) await stripe.customers.update(customer, { invoice_settings: { default_payment_method: first } })
  return customer
}
