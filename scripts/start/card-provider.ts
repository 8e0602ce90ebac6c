import Stripe from 'stripe'
import { demoHolders } from '../../demo/folio/cards.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'
import { demoPurchases, type PurchaseIds } from './demo-purchases.ts'
import type { StartConfig } from './settings.ts'

type Holder = (typeof demoHolders)[number]

/** The sandbox’s card provider; `undefined` if a real provider is configured, which must not get demo data. */
export function cardProviderStandIn({ ATRIUM_SANDBOX_PORT: port }: StartConfig, environment: NodeJS.ProcessEnv) {
  const address = `http://localhost:${port}`
  const { STRIPE_API_URL: apiUrl, STRIPE_WEBHOOK_SECRETS: secrets = '' } = environment
  if (apiUrl !== address) return undefined
  const [secret = ''] = secrets.split(',')
  // The vendor's own key: what the demo has there was not made by account-server.
  const stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })

  return {
    /** Registers the webhook of account-server. At a real provider this is done by hand (`docs/operations.md`). */
    subscribe(): Promise<void> {
      const url = `${environment.PUBLIC_URL}/webhooks/stripe/`
      return control(address, 'webhook-endpoints', { url, secret: secret.trim(), enabledEvents: ['*'] })
    },

    /**
     * Creates the demo’s customers and cards through the provider’s API. @returns the records to import. After a start
     * that was interrupted, the calls are repeated with the same idempotency keys, so nothing is created twice.
     */
    async demoCustomers(today: Date): Promise<CustomerRecord[]> {
      const records = demoHolders.map(async (holder) => {
        const customerId = await customerOf({ stripe, address, today }, holder)
        return { type: 'provider-customer', email: holder.email, customerId } as const
      })
      return Promise.all(records)
    },

    /** Makes what the cast bought, at both providers. */
    demoPurchases(
      customers: readonly CustomerRecord[],
      start: Parameters<typeof demoPurchases>[1],
    ): Promise<PurchaseIds> {
      const byEmail = new Map(customers.map(({ email, customerId }) => [email, customerId]))
      return demoPurchases({ stripe, address, hasPaypal: environment.PAYPAL !== 'none', customers: byEmail }, start)
    },
  }
}

export type CustomerRecord = Extract<FolioRecord, { type: 'provider-customer' }>

/** A request that only the sandbox has. */
async function control(address: string, path: string, body: object): Promise<void> {
  const reply = await fetch(`${address}/cards/control/${path}/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`The sandbox answers ${reply.status} to ${path}.`)
}

interface Where {
  stripe: Stripe
  address: string
  today: Date
}

async function customerOf({ stripe, address, today }: Where, holder: Holder): Promise<string> {
  const { email, firstName, lastName, cards } = holder
  const name = `${firstName} ${lastName}`
  const { id: customer } = await stripe.customers.create({ email, name }, { idempotencyKey: `folio ${email}` })
  const ids: string[] = []
  // Lists show the newest first, so the last card is created first.
  for (const [place, card] of [...cards.entries()].reverse()) {
    const idempotencyKey = `folio ${email} ${place}`
    const { id } = await stripe.paymentMethods.attach(card.method, { customer }, { idempotencyKey })
    const { line1, city, state = '', zip, country, expires } = card
    const year = today.getUTCFullYear() + expires.years
    const hasExpired = expires.years < 0
    await stripe.paymentMethods.update(id, {
      billing_details: { name, address: { line1, city, state, postal_code: zip, country } },
      ...(!hasExpired && { card: { exp_month: expires.month, exp_year: year } }),
      metadata: { firstName, lastName },
    })
    // The provider's API cannot create an expired card.
    if (hasExpired) await control(address, `payment-methods/${id}/expiry`, { month: expires.month, year })
    ids.unshift(id)
  }
  const [first] = ids
  if (first) await stripe.customers.update(customer, { invoice_settings: { default_payment_method: first } })
  return customer
}
