import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { at, expect } from './journey.ts'
import type { Merchant } from './merchant.ts'

/** An answer of the provider. */
interface Answer {
  id: string
  status: string
  links: { rel: string; href: string }[]
  /** Of a list of plans. */
  plans?: { id: string; description?: string; status: string }[]
}

/** The provider's API, as the merchant's server calls it. */
export async function paypalOf(provider: string) {
  const token = await fetch(`${provider}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('client_journeys:secret_journeys').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  const { access_token: bearer } = await token.json()
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const reply = await fetch(provider + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return reply.json()
  }
  return { get: (path: string) => send('GET', path), post: (path: string, body = {}) => send('POST', path, body) }
}

type Paypal = Awaited<ReturnType<typeof paypalOf>>

const price = { value: '12.50', currency_code: 'USD' }

/** A subscription that waits for the buyer. @returns its id */
export async function newSubscription({ post }: Paypal, returnUrl: string): Promise<string> {
  const product = await post('/v1/catalogs/products', { name: 'Editor' })
  const plan = await post('/v1/billing/plans', {
    product_id: product.id,
    name: 'Editor, monthly',
    billing_cycles: [
      {
        frequency: { interval_unit: 'MONTH' },
        tenure_type: 'REGULAR',
        sequence: 1,
        total_cycles: 0,
        pricing_scheme: { fixed_price: price },
      },
    ],
    payment_preferences: {},
  })
  const urls = { return_url: returnUrl, cancel_url: returnUrl }
  const { id } = await post('/v1/billing/subscriptions', {
    plan_id: plan.id,
    application_context: { brand_name: 'Folio', ...urls },
  })
  return id
}

/** An order that waits for the buyer. @returns its id */
async function newOrder({ post }: Paypal): Promise<string> {
  const { id } = await post('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount: price }] })
  return id
}

/** Somebody subscribes, and types a member's address: nothing else says who they are. @param name of the plan */
export async function subscribeAsAnybody(email: string, name: string): Promise<void> {
  const { get, post } = await paypalOf(at.sandbox)
  for (let page = 1; ; page += 1) {
    const { plans = [] } = await get(`/v1/billing/plans?page_size=20&page=${page}`)
    const plan = plans.find(({ description, status }) => description === name && status === 'ACTIVE')
    if (!plan && plans.length > 0) continue
    const made = await post('/v1/billing/subscriptions', { plan_id: plan?.id, quantity: '3', custom_id: email })
    const link = made.links.find(({ rel }) => rel === 'approve')?.href
    await fetch(`${at.sandbox}/paypal/control/approvals/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    })
    return
  }
}

/** Opens a page of the merchant with the provider's unmodified React package. @param query what it is to show */
export async function openCheckout(page: Page, merchant: Merchant, query: Record<string, string> = {}) {
  const paypal = await paypalOf(merchant.provider)
  const made: string[] = []
  const address = `${merchant.origin}/paypal?${new URLSearchParams(query)}`
  await page.exposeFunction('createAtServer', async (what: string) => {
    if (query.fail) throw new Error('The merchant has no stock.')
    const id = what === 'order' ? await newOrder(paypal) : await newSubscription(paypal, `${merchant.origin}/?back=1`)
    made.push(id)
    return id
  })
  const script = await pageScript()
  await page.route(`${merchant.origin}/paypal.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await page.route(/\/paypal(\?|$)/, (route) =>
    new URL(route.request().url()).origin === merchant.origin
      ? route.fulfill({
          contentType: 'text/html',
          headers: {
            'content-security-policy': policyOf(merchant),
            'cross-origin-opener-policy': 'same-origin-allow-popups',
          },
          body: markup(merchant, query.dark !== undefined),
        })
      : route.continue(),
  )
  // The browser takes a page that a journey itself answers for one of the internet, which may not reach this machine.
  await page.context().grantPermissions(['local-network-access'], { origin: merchant.origin })
  await page.goto(address)
  return {
    paypal,
    made,
    button: buttonOf(page),
    /** What the page was told. */
    told: async () => JSON.parse((await page.locator('output').textContent()) ?? '[]'),
    async untilTold(name: string): Promise<unknown> {
      await expect(page.locator('output')).toContainText(`"name":"${name}"`)
      const told: { name: string; data: unknown }[] = JSON.parse((await page.locator('output').textContent()) ?? '[]')
      return told.find((one) => one.name === name)?.data
    },
  }
}

export function buttonOf(page: Page) {
  return page.frameLocator('iframe[title="PayPal"]').getByRole('button')
}

/** As strict as the account page's, and stricter about styles. */
function policyOf({ provider }: Merchant): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${provider}`,
    "style-src 'nonce-merchant'",
    `frame-src ${provider}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const markup = ({ provider }: Merchant, isDark: boolean) => `<!doctype html>
<html lang="en" data-provider="${provider}"${isDark ? ' data-dark' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Checkout</title>
<link rel="icon" href="data:,">
<style nonce="merchant">
  :root { color-scheme: light; background: #faf9f7; color: #1d1b18; font: 15px/1.5 system-ui, sans-serif }
  :root[data-dark] { color-scheme: dark; background: #161512; color: #ece9e2 }
  main { max-width: 480px; margin: 0 auto; padding: 16px }
  output { overflow-wrap: anywhere }
</style>
</head>
<body><header>Shop</header><main><h1>Checkout</h1><div id="page"></div></main><script type="module" src="/paypal.js"></script></body>
</html>`

let built: Promise<string> | undefined

/** The page's script with the provider's unmodified package, built once per worker. */
function pageScript(): Promise<string> {
  built ??= build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, rolldownOptions: { input: join(import.meta.dirname, 'paypal-page.tsx') } },
  }).then((result) => {
    const [one] = Array.isArray(result) ? result : [result]
    if (!one || !('output' in one)) throw new Error('the page was not built')
    return one.output[0].code
  })
  return built
}
