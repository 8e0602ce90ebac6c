import type { StartConfig } from './settings.ts'

/** The sandbox's PayPal; `undefined` if a real one is configured. */
export function paypalStandIn({ ATRIUM_SANDBOX_PORT: port }: StartConfig, environment: NodeJS.ProcessEnv) {
  const address = `http://localhost:${port}`
  const { PAYPAL, PAYPAL_API_URL: apiUrl, PAYPAL_WEBHOOK_ID: id, PUBLIC_URL: account } = environment
  if (PAYPAL === 'none' || apiUrl !== address) return undefined

  return {
    /** Registers the webhook of account-server under the id of its setting. At the real PayPal this is done by hand. */
    async subscribe(): Promise<void> {
      const reply = await fetch(`${address}/paypal/control/webhooks/`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ url: `${account}/webhooks/paypal/`, id, eventTypes: ['*'] }),
      })
      if (!reply.ok) throw new Error(`The sandbox answers ${reply.status} to the webhook of PayPal.`)
    },
  }
}
