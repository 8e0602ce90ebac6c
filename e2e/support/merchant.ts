import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { build } from 'vite'
import { release } from '../../apps/sandbox/browser/release.ts'
import { projectFolder } from '../../scripts/start/data-directory.ts'
import { superviseProgram } from '../../scripts/start/programs.ts'
import { test as base } from './journey.ts'

/** A merchant on another host than the provider, with its own provider. */
export interface Merchant {
  /** Of the page. */
  origin: string
  /** Of the sandbox. */
  provider: string
  /** The provider's API, as the merchant's server calls it; with a form it is a POST. */
  api(path: string, form?: Readonly<Record<string, string>>): Promise<Answer>
}

interface Answer {
  id: string
  status: string
  client_secret: string
  error?: object
  data: { id: string }[]
}

/** A journey with a merchant, which all journeys of a worker share. */
export const test = base.extend<object, { merchant: Merchant }>({
  merchant: [
    // Playwright requires a destructuring pattern here.
    async ({ browserName: _ }, use) => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      const origin = `http://127.0.0.1:${portOf(server)}`
      await using provider = await newProvider(origin)
      const merchant = { origin, provider: provider.address, api: apiOf(provider.address) }
      await serveMerchant(server, merchant)
      await use(merchant)
      server.closeAllConnections()
      server.close()
    },
    { scope: 'worker' },
  ],
})

/** A sandbox for this merchant only, with its own database. */
async function newProvider(merchant: string) {
  const url = new URL(process.env.ATRIUM_E2E_DATABASE ?? '')
  const name = `atrium_merchant_${process.pid}`
  const administrate = async (statement: string) => {
    const client = new pg.Client({ connectionString: process.env.ATRIUM_E2E_DATABASE })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await administrate(`create database ${name}`)
  url.pathname = `/${name}`

  const [port, smtpPort] = [await freePort(), await freePort()]
  const sandbox = superviseProgram({
    name: 'sandbox',
    script: join(projectFolder, 'apps/sandbox/src/main.ts'),
    env: {
      ...process.env,
      DATABASE_URL: url.href,
      ATRIUM_SANDBOX_PORT: String(port),
      SANDBOX_SMTP_PORT: String(smtpPort),
      PUBLIC_URL: merchant,
      LOG_LEVEL: 'warn',
    },
    say: (sentence) => process.stdout.write(`${sentence}\n`),
    onFailed: () => process.exit(1),
  })
  await sandbox.ready
  return {
    address: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      await sandbox.stop()
      await administrate(`drop database ${name} with (force)`)
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function portOf(server: Server): number {
  const address = server.address()
  return address !== null && typeof address !== 'string' ? address.port : 0
}

function apiOf(provider: string): Merchant['api'] {
  return async (path, form) => {
    const reply = await fetch(`${provider}/v1/${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { authorization: 'Bearer sk_test_sandbox' },
      ...(form && { body: new URLSearchParams(form) }),
    })
    return reply.json()
  }
}

/** Serves the page, its script, and the endpoint that creates a setup intent for a payment method. */
async function serveMerchant(server: Server, merchant: Merchant): Promise<void> {
  const script = await pageScript()
  server.on('request', async (request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', merchant.origin)
    const send = (type: string, body: string, headers = {}) =>
      reply.writeHead(200, { 'content-type': `${type}; charset=utf-8`, ...headers }).end(body)

    if (pathname === '/page.js') send('text/javascript', script)
    else if (pathname === '/setup-intents')
      send('application/json', JSON.stringify(await setUp(merchant, await text(request))))
    else if (pathname === '/') {
      send('text/html', markup(merchant, searchParams.has('dark')), {
        'content-security-policy': policyOf(merchant),
      })
    } else reply.writeHead(404).end()
  })
}

async function setUp({ api }: Merchant, paymentMethod: string): Promise<object> {
  const { id: customer } = await api('customers', {})
  const form = { customer, payment_method: paymentMethod, confirm: 'true', use_stripe_sdk: 'true' }
  return api('setup_intents', form)
}

/** Stricter than the account page's: no style without the nonce, not even in an attribute. */
function policyOf({ provider }: Merchant): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${provider}`,
    "style-src 'nonce-merchant'",
    `connect-src 'self' ${provider}`,
    `frame-src ${provider}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

const markup = ({ provider }: Merchant, isDark: boolean) => `<!doctype html>
<html lang="en" data-sdk="${provider}/cards/js/${release}/stripe.js"${isDark ? ' data-dark' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Merchant</title>
<link rel="icon" href="data:,">
<style nonce="merchant">
  :root { color-scheme: light; background: #faf9f7; color: #1d1b18; font: 15px/1.5 system-ui, sans-serif }
  :root[data-dark] { color-scheme: dark; background: #161512; color: #ece9e2 }
  main { max-width: 480px; margin: 0 auto; padding: 16px }
  form { display: grid; gap: 12px }
  .field { display: grid; gap: 4px }
  .field .StripeElement { padding: 12px; border: 1px solid #8b8d98; border-radius: 8px; background: #fff }
  .field .StripeElement--focus { outline: 2px solid #3b51c4 }
  button { padding: 10px }
  output, p { overflow-wrap: anywhere }
</style>
</head>
<body><header>Shop</header><main><h1>Merchant</h1><div id="page"></div></main><script type="module" src="/page.js"></script></body>
</html>`

let built: Promise<string> | undefined

/** The page's script with the provider's unmodified packages, built once per worker. */
function pageScript(): Promise<string> {
  built ??= build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: { write: false, rolldownOptions: { input: join(import.meta.dirname, 'merchant-page.tsx') } },
  }).then((result) => {
    const [one] = Array.isArray(result) ? result : [result]
    if (!one || !('output' in one)) throw new Error('the merchant’s page was not built')
    return one.output[0].code
  })
  return built
}
