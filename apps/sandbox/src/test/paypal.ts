import { newWorld, origin } from './world.ts'

export interface Reply {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: answers of another system, compared by the tests themselves
  json: any
  /** Names of what is wrong. */
  issues: string[]
}

interface Options {
  body?: unknown
  headers?: Record<string, string>
}

/** A sandbox that listens on a port, a thin client of its PayPal API, and a clock that can be advanced. */
export async function newPaypalWorld(start = '2026-06-15T08:00:00Z') {
  const ahead = new Date(start).getTime() - Date.now()
  const clock = () => new Date(Date.now() + ahead)
  const world = await newWorld(clock)
  const { origin: address } = new URL(await world.app.listen({ port: 0, host: 'localhost' }))
  const token = await accessToken(address)

  const send = async (method: string, path: string, { body, headers = {} }: Options = {}) => {
    const hasBody = method === 'POST' || method === 'PATCH'
    const reply = await fetch(address + path.replace(origin, ''), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(hasBody && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(hasBody && body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return replyOf(reply)
  }

  return {
    ...world,
    address,
    clock,
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, body?: unknown, headers: Record<string, string> = {}) => send('POST', path, { body, headers }),
    patch: (path: string, body: unknown) => send('PATCH', path, { body }),
    /** The whole object instead of the minimal answer. */
    create: async (path: string, body: unknown) => {
      const reply = await send('POST', path, { body, headers: { prefer: 'return=representation' } })
      if (reply.status > 201) throw new Error(`${path}: ${reply.text}`)
      return reply.json
    },
    /** Moves the business clock to a moment; what is due until then happens. @returns the status of the reply */
    async advance(to: string): Promise<number> {
      const reply = await fetch(`${address}/clock/control/advance/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to }),
      })
      return reply.status
    },
    control: async (method: string, path: string, body?: unknown) => {
      const reply = await fetch(`${address}/paypal/control/${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      })
      return replyOf(reply)
    },
    /** Answers the approval page. @returns where it leads, or its text */
    async answer(link: string, answer: 'approve' | 'approve-other' | 'approve-guest' | 'cancel' | 'no-funds') {
      const { pathname, search } = new URL(link)
      const reply = await world.app.inject({
        method: 'POST',
        url: pathname + search,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        payload: `answer=${answer}`,
      })
      return { status: reply.statusCode, location: reply.headers.location, text: reply.body }
    },
  }
}

export type PaypalWorld = Awaited<ReturnType<typeof newPaypalWorld>>

async function replyOf(reply: Response): Promise<Reply> {
  const text = await reply.text()
  const json = /^[{[]/.test(text) ? JSON.parse(text) : {}
  const issues = (json.details ?? []).map(({ issue }: { issue: string }) => issue)
  return { status: reply.status, headers: reply.headers, text, json, issues }
}

/** The reply to a client's credentials. */
export async function requestToken(address: string, credentials: string, form = 'grant_type=client_credentials') {
  const reply = await fetch(`${address}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form,
  })
  return replyOf(reply)
}

async function accessToken(address: string): Promise<string> {
  const { json } = await requestToken(address, 'client_sandbox:secret_sandbox')
  return json.access_token
}

/** The link of an answer. */
export function linkOf(json: { links: { rel: string; href: string }[] }, rel: string): string {
  const link = json.links.find((one) => one.rel === rel)
  if (!link) throw new Error(`no link ${rel}`)
  return link.href
}

/** A product. */
export function newProduct({ create }: Pick<PaypalWorld, 'create'>, more: object = {}) {
  return create('/v1/catalogs/products', { name: 'Editor', type: 'DIGITAL', ...more })
}

interface PlanOptions {
  value?: string
  unit?: string
  currency?: string
  trial?: object
  more?: object
  preferences?: object
  total?: number
}

/** The body of a plan with one price. */
export function planBody(productId: string, options: PlanOptions = {}) {
  const { value = '10', unit = 'MONTH', currency = 'USD', trial, more, preferences, total = 0 } = options
  const regular = {
    frequency: { interval_unit: unit, interval_count: 1 },
    tenure_type: 'REGULAR',
    sequence: trial ? 2 : 1,
    total_cycles: total,
    pricing_scheme: { fixed_price: { value, currency_code: currency } },
  }
  return {
    product_id: productId,
    name: 'Editor, monthly',
    billing_cycles: trial ? [trial, regular] : [regular],
    payment_preferences: { auto_bill_outstanding: true, payment_failure_threshold: 2, ...preferences },
    quantity_supported: true,
    ...more,
  }
}

/** A plan, of a new product if none is given. */
export async function newPlan(
  world: Pick<PaypalWorld, 'create'>,
  { productId, ...options }: PlanOptions & { productId?: string } = {},
) {
  const product = productId ?? (await newProduct(world)).id
  return world.create('/v1/billing/plans', planBody(product, options))
}
