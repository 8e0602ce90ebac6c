import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { newRandom, type Random } from './soak/random.ts'
import { openStage, type Person, type Stage, waitUntil } from './stage.ts'
import { importRecords, sellCatalog } from './stage-catalog.ts'
import { moveClock } from './stage-clock.ts'

/** What is bought first: products with ways on, in the terms and currencies in which they are sold. */
const starts = [
  'fpepi-monthly',
  'fpepb-monthly',
  'fpepb-yearly',
  'fese-monthly',
  'fesb-monthly',
  'fesb-yearly',
  'fcl-monthly',
]
const currencies = ['usd', 'eur', 'jpy']
const countries = ['DE', 'CH', 'JP', 'PT', 'BR']

const types = ['buy-more', 'buy-connector', 'switch-to-business-billing', 'switch-to-annual-billing'] as const

/** A percentage that does not divide well, a third, and an amount for each currency. */
const coupons = [
  { type: 'coupon', code: 'SEVENTEEN', percentOff: 17 },
  { type: 'coupon', code: 'THIRD', percentOff: 33.33 },
  ...currencies.map((currency) => ({
    ...{ type: 'coupon', code: `OFF${currency.toUpperCase()}` },
    ...{ amountOff: 333, currency: currency.toUpperCase() },
  })),
].map((coupon) => ({ ...coupon, maxUsesPerCustomer: 1_000_000 }))

const concurrency = 4

interface Subscriber {
  person: Person
  subscription: string
  currency: string
}

/** A change that was made, as it was shown. */
interface Made {
  invoice: string
  shown: Quote
}

const Quote = z.object({
  quoteId: z.string(),
  lines: z.array(z.object({ amount: z.int() })),
  discount: z.int(),
  subAmount: z.int(),
  taxAmount: z.int(),
  chargeAmount: z.int(),
})
type Quote = z.output<typeof Quote>

interface Tally {
  made: Made[]
  refused: Map<string, number>
  wrong: string[]
}

/**
 * Generated changes of plans, quantities, moments, coupons and currencies: each is charged, invoiced and ordered exactly as it was shown,
 * to the minor unit.
 */
export async function changes({ count, seed }: { count: number; seed: number }): Promise<{ failed: number }> {
  const begunAt = Date.now()
  const random = newRandom(seed)
  const settings = { BUSINESS_CLOCK: 'movable', SANDBOX_MOVES_ACCOUNT_CLOCK: 'true', LOG_LEVEL: 'warn' }
  const stage = await openStage(settings, { isDirect: true })
  const tally: Tally = { made: [], refused: new Map(), wrong: [] }
  try {
    await sellCatalog({ ...stage.env, PAYPAL: 'none' })
    await importRecords(stage.env, coupons)
    let now = Date.now()
    while (tally.made.length < count) {
      // A part of the first period passes before the changes.
      now += random.int(600, 25 * 86_400) * 1000
      await playRound(stage, random, { tally, changesAt: new Date(now) })
      say(`${tally.made.length} changes, ${((Date.now() - begunAt) / 1000).toFixed(0)} s`)
    }
    await compareOrders(stage, tally)
  } finally {
    await stage.close()
  }
  for (const [code, times] of tally.refused) say(`refused: ${code} ${times}`)
  for (const text of tally.wrong.slice(0, 20)) say(text)
  const charged = tally.made.reduce((sum, { shown }) => sum + shown.chargeAmount, 0)
  say(`${tally.made.length} changes, ${charged} minor units charged; ${tally.wrong.length} other than shown`)
  return { failed: tally.wrong.length }
}

/** Subscriptions of a round, and changes of each; some of them are not possible. */
const subscribersOfRound = 40
const mostChanges = 14

interface Round {
  tally: Tally
  changesAt: Date
}

async function playRound(stage: Stage, random: Random, { tally, changesAt }: Round): Promise<void> {
  const subscribers: Subscriber[] = []
  for (let place = 0; place < subscribersOfRound; place += 1) subscribers.push(await subscribe(stage, random))
  await waitUntil('every purchase is here', () => areStored(stage, subscribers), 60)
  await moveClock(stage, changesAt)
  const left = [...subscribers]
  const worker = async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      for (let times = random.int(3, mostChanges); times > 0; times -= 1) await change(stage, random, { one, tally })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  // Their renewals are not what is looked at.
  for (const { subscription } of subscribers) await stage.stripe.subscriptions.cancel(subscription)
}

async function subscribe(stage: Stage, random: Random): Promise<Subscriber> {
  const { stripe } = stage
  const [currency, country] = [random.pick(currencies), random.pick(countries)]
  const [price] = (await stripe.prices.list({ lookup_keys: [`${random.pick(starts)}-${currency}`] })).data
  const person = await stage.person()
  const { id: customer } = await stripe.customers.create({
    ...{ email: person.email, address: { country } },
    metadata: { memberId: person.id },
  })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const items = [{ price: price?.id ?? '', quantity: random.int(1, 9) }]
  const automatic_tax = { enabled: random.chance(0.5) }
  const { id } = await stripe.subscriptions.create({ customer, items, default_payment_method: card, automatic_tax })
  return { person, subscription: id, currency }
}

async function areStored({ query }: Stage, subscribers: readonly Subscriber[]): Promise<boolean> {
  const ids = subscribers.map(({ subscription }) => subscription)
  const { rows } = await query<{ count: number }>(
    'select count(*)::int as count from account.subscriptions where id = any($1)',
    [ids],
  )
  return rows[0]?.count === ids.length
}

interface Changing {
  one: Subscriber
  tally: Tally
}

async function change(stage: Stage, random: Random, { one, tally }: Changing): Promise<void> {
  const { person, subscription: sid, currency } = one
  const couponCode = random.chance(0.4) ? random.pick(['SEVENTEEN', 'THIRD', `OFF${currency.toUpperCase()}`]) : ''
  const asked = { type: random.pick(types), increasingNumber: random.int(1, 3), couponCode }
  if (asked.type === 'buy-connector') await stage.send(person, post('enable-pooling', { sid }))
  const detail = await stage.send(person, post('change-plan-from', { sid, ...asked }))
  if (detail.status !== 200) return count(tally.refused, detail.code)
  const shown = Quote.parse(detail.body.quote)

  const body = { subscriptionId: sid, quoteId: shown.quoteId, discount: shown.discount, ...asked }
  const paid = await stage.send(person, { ...post('change-plan', body), key: randomUUID() })
  if (paid.status !== 200) return count(tally.refused, `${paid.code} at payment`)
  const { latest_invoice: invoice } = await stage.stripe.subscriptions.retrieve(sid, { expand: ['latest_invoice'] })
  if (invoice === null || typeof invoice === 'string') throw new Error('the provider did not expand the invoice')
  const told = { chargeAmount: paid.body.chargeAmount, taxAmount: paid.body.taxAmount, subAmount: paid.body.subAmount }
  const tax = (invoice.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)
  const charged = { chargeAmount: invoice.amount_paid, taxAmount: tax, subAmount: invoice.total - tax }
  const wanted = { chargeAmount: shown.chargeAmount, taxAmount: shown.taxAmount, subAmount: shown.subAmount }
  expectSame(tally, `${sid} ${asked.type} answered`, { wanted, found: told })
  expectSame(tally, `${sid} ${asked.type} charged`, { wanted, found: charged })
  const lines = shown.lines.reduce((sum, { amount }) => sum + amount, 0) - shown.discount
  expectSame(tally, `${sid} ${asked.type} lines`, { wanted: { sum: shown.subAmount }, found: { sum: lines } })
  tally.made.push({ invoice: invoice.id, shown })
}

const post = (path: string, body: object) => ({ method: 'POST', path: `/account/${path}/`, body }) as const

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function expectSame(tally: Tally, what: string, { wanted, found }: { wanted: object; found: object }): void {
  const [one, other] = [JSON.stringify(wanted), JSON.stringify(found)]
  if (one !== other) tally.wrong.push(`${what}: ${other}, not ${one}`)
}

interface OrderRow {
  provider_id: string
  amount: number
  tax: number
  total: number
  lines: { amount: number }[]
}

/** Every change that charged something is one order with its lines. */
async function compareOrders(stage: Stage, tally: Tally): Promise<void> {
  const wanted = tally.made.filter(({ shown }) => shown.chargeAmount > 0)
  const ids = wanted.map(({ invoice }) => invoice)
  const statement = `select provider_id, amount::int, tax::int, total::int, lines from account.orders
    where provider_id = any($1) and status = 'CO'`
  const read = async () => (await stage.query<OrderRow>(statement, [ids])).rows
  await waitUntil('every change has its order', async () => (await read()).length >= ids.length, 120)
  const rows = await read()
  const orders = Map.groupBy(rows, (row) => row.provider_id)
  for (const { invoice, shown } of wanted) {
    const [order, second] = orders.get(invoice) ?? []
    const lines = order?.lines.reduce((sum, { amount }) => sum + amount, 0)
    const found = { amount: order?.amount, tax: order?.tax, total: order?.total, lines, second: second !== undefined }
    const { chargeAmount: amount, taxAmount: tax, subAmount } = shown
    const exactly = { amount, tax, total: subAmount + tax, lines: subAmount, second: false }
    expectSame(tally, `${invoice} ordered`, { wanted: exactly, found })
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
