import { randomUUID } from 'node:crypto'
import type { Killed } from './kill-cases.ts'
import { type Answer, type Person, type Stage, waitUntil } from './stage.ts'
import { importRecords } from './stage-catalog.ts'
import { limitSeconds } from './verdict.ts'

const activity = 'lock table account.activity in exclusive mode'
const operations = 'lock table account.provider_operations in share row exclusive mode'

/** How something stands at the provider, and here; both in the same words. */
interface State {
  provider: string
  ours: string
  /** How often it was charged at the provider, and ordered here. */
  charged: number
  ordered: number
  isDone: boolean
}

/** A change that somebody requests. */
export interface Scene {
  person: Person
  send(): Promise<Answer>
  state(): Promise<State>
}

export interface Kind extends Killed {
  prepare(stage: Stage): Promise<Scene>
}

const update = /^POST \/v1\/subscriptions\/\w+ /
const payment = /^POST \/v1\/invoices\/\w+\/pay /

/** Every kind of operation on a subscription by card. */
export const kinds: readonly Kind[] = [
  {
    kind: 'subscription.change',
    request: update,
    applyLock: activity,
    prepare: async (stage) => buyingMore(stage, await bought(stage)),
  },
  {
    kind: 'subscription.give_up_change',
    request: /^POST \/v1\/invoices\/\w+\/void /,
    applyLock: operations,
    prepare: declined,
  },
  { kind: 'subscription.turn_off_renewal', request: update, applyLock: activity, prepare: turningOff },
  { kind: 'subscription.turn_on_renewal', request: update, applyLock: activity, prepare: turningOn },
  { kind: 'subscription.pay', request: payment, applyLock: activity, prepare: payingOverdue },
  { kind: 'subscription.renew', request: payment, applyLock: activity, prepare: renewingTerm },
]

export interface Bought {
  person: Person
  customer: string
  sid: string
}

interface Buying {
  person?: Person
  /** Whether only an address that somebody typed says whose it is. */
  isTyped?: boolean
  /** Of the subscription. */
  more?: object
}

/** Somebody with a subscription of two seats. */
export async function bought(stage: Stage, { person: given, isTyped = false, more }: Buying = {}): Promise<Bought> {
  const { stripe } = stage
  const person = given ?? (await stage.person())
  const [price] = (await stripe.prices.list({ lookup_keys: ['fpepb-monthly-usd'] })).data
  const { id: customer } = await stripe.customers.create({
    email: person.email,
    metadata: isTyped ? {} : { memberId: person.id },
  })
  // A card of the member's own would prove whose it is.
  await payBy(stage, customer, isTyped ? 'pm_card_mastercard' : 'pm_card_visa')
  const items = [{ price: price?.id ?? '', quantity: 2 }]
  const { id: sid } = await stripe.subscriptions.create({ customer, items, ...more })
  await waitUntil('the purchase is here', async () => (await rowOf(stage, sid)) !== undefined, limitSeconds)
  return { person, customer, sid }
}

/** A test card of the provider pays from now on. */
async function payBy({ stripe }: Stage, customer: string, card: string): Promise<void> {
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
}

interface Row {
  status: string
  user_count: number
  auto_renew: boolean
  period_end: Date
}

async function rowOf({ query }: Stage, sid: string): Promise<Row | undefined> {
  const statement = 'select status, user_count, auto_renew, period_end from account.subscriptions where id = $1'
  return (await query<Row>(statement, [sid])).rows[0]
}

/** Of what was charged since. @param before paid invoices of the customer */
async function money({ stripe, query }: Stage, { person, customer }: Bought, before = 1) {
  const paid = (await stripe.invoices.list({ customer, status: 'paid' })).data.filter(({ total }) => total > 0)
  const { rows } = await query<{ count: number }>(
    `select count(*)::int as count from account.orders where member_id = $1 and status = 'CO'`,
    [person.id],
  )
  return { charged: paid.length - before, ordered: (rows[0]?.count ?? 0) - before }
}

export const post = (path: string, body: object) => ({ method: 'POST', path: `/account/${path}/`, body }) as const

async function declined(stage: Stage): Promise<Scene> {
  const one = await bought(stage)
  await payBy(stage, one.customer, 'pm_card_chargeCustomerFail')
  return buyingMore(stage, one)
}

/** One seat more. */
export async function buyingMore(stage: Stage, one: Bought): Promise<Scene> {
  const { person, sid } = one
  const asked = { type: 'buy-more', increasingNumber: 1 }
  const detail = await stage.send(person, post('change-plan-from', { sid, ...asked }))
  const { quoteId } = Object(detail.body.quote)
  const key = randomUUID()
  return {
    person,
    send: () => stage.send(person, { ...post('change-plan', { subscriptionId: sid, quoteId, ...asked }), key }),
    async state() {
      const found = await stage.stripe.subscriptions.retrieve(sid, { expand: ['latest_invoice'] })
      const { latest_invoice: invoice } = found
      // A payment that was declined leaves nothing to pay.
      const isOpen = typeof invoice === 'object' && invoice?.status === 'open'
      const seats = found.items.data[0]?.quantity
      const provider = `${seats} seats${isOpen ? ', to be paid' : ''}`
      return {
        provider,
        ours: `${(await rowOf(stage, sid))?.user_count} seats`,
        ...(await money(stage, one)),
        isDone: seats === 3,
      }
    },
  }
}

/** @param planned what the person was told is dropped with it */
export function switchOf(stage: Stage, { person, sid }: Bought, isOff: boolean, planned?: string): Scene {
  const request = isOff
    ? post('subscription-cancel', { sid, reasons: [1], ...(planned && { planned }) })
    : post('subscription-renew', { sid })
  return {
    person,
    send: () => stage.send(person, request),
    async state() {
      const { cancel_at_period_end: isEnding } = await stage.stripe.subscriptions.retrieve(sid)
      const row = await rowOf(stage, sid)
      const nothing = { charged: 0, ordered: 0 }
      return { provider: `${!isEnding}`, ours: `${row?.auto_renew}`, ...nothing, isDone: isEnding === isOff }
    },
  }
}

async function turningOff(stage: Stage): Promise<Scene> {
  return switchOf(stage, await bought(stage), true)
}

async function turningOn(stage: Stage): Promise<Scene> {
  const one = await bought(stage)
  await stage.stripe.subscriptions.update(one.sid, { cancel_at_period_end: true })
  await waitUntil('it is off here', async () => (await rowOf(stage, one.sid))?.auto_renew === false, limitSeconds)
  return switchOf(stage, one, false)
}

async function payingOverdue(stage: Stage): Promise<Scene> {
  const one = await bought(stage, { more: { trial_period_days: 7 } })
  const { person, customer, sid } = one
  await payBy(stage, customer, 'pm_card_chargeCustomerFail')
  await stage.stripe.subscriptions.update(sid, { trial_end: 'now' })
  await waitUntil('it is past due here', async () => (await rowOf(stage, sid))?.status === 'past_due', limitSeconds)
  await payBy(stage, customer, 'pm_card_visa')
  const [open] = (await stage.stripe.invoices.list({ customer, status: 'open' })).data
  const body = { amount: open?.amount_remaining, currency: 'USD' }
  const key = randomUUID()
  return {
    person,
    send: () => stage.send(person, { ...post(`subscriptions/${sid}/payment`, body), key }),
    async state() {
      const { status } = await stage.stripe.subscriptions.retrieve(sid)
      const row = await rowOf(stage, sid)
      return { provider: status, ours: `${row?.status}`, ...(await money(stage, one, 0)), isDone: status === 'active' }
    },
  }
}

const dayMs = 86_400_000

async function renewingTerm(stage: Stage): Promise<Scene> {
  const { person, customer } = await customerOf(stage)
  const sid = `S-${person.id}`
  const now = Date.now()
  const term = { periodStart: new Date(now - 355 * dayMs), periodEnd: new Date(now + 10 * dayMs) }
  const record = { type: 'subscription', subscriptionId: sid, email: person.email, userCount: 2, channel: 'card' }
  const paid = { term: 'paid_yearly', price: 23_800, currency: 'USD', origin: 'online', status: 'active' }
  await importRecords(stage.env, [{ ...record, productCode: 'FPM', ...paid, ...term }])
  const asked = { type: 'techsoup-renew' }
  const detail = await stage.send(person, post('change-plan-from', { sid, ...asked }))
  const { quoteId } = Object(detail.body.quote)
  const key = randomUUID()
  return {
    person,
    send: () => stage.send(person, { ...post('change-plan', { subscriptionId: sid, quoteId, ...asked }), key }),
    async state() {
      const counts = await money(stage, { person, customer, sid }, 0)
      const drafts = (await stage.stripe.invoices.list({ customer })).data.filter(
        ({ status }) => status === 'draft' || status === 'open',
      )
      const isLater = ((await rowOf(stage, sid))?.period_end.getTime() ?? 0) > term.periodEnd.getTime()
      const isPaid = counts.charged > 0
      const provider = `${isPaid ? 'paid' : 'not paid'}${drafts.length > 0 ? ', something is left' : ''}`
      return { provider, ours: isLater ? 'paid' : 'not paid', ...counts, isDone: isPaid }
    },
  }
}

/** Somebody with a card. @param given who gets it; otherwise a new person */
export async function customerOf(stage: Stage, given?: Person) {
  const person = given ?? (await stage.person())
  const { id: customer } = await stage.stripe.customers.create({
    email: person.email,
    metadata: { memberId: person.id },
  })
  await payBy(stage, customer, 'pm_card_visa')
  await stage.query(
    `insert into account.provider_customers (member_id, customer_id, proof, is_main, created_at) values ($1, $2, 'ours', true, now())
     on conflict do nothing`,
    [person.id, customer],
  )
  return { person, customer }
}
