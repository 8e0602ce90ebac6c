import { Problem } from '@atrium/server-kit/problem.ts'
import { findQuestion, lockQuestion } from '../approval/approval.queries.ts'
import { type Payer, returnAddress } from '../approval/approval.rules.ts'
import { approve } from '../approval/approval.writes.ts'
import { resendEvent } from '../events/events.queries.ts'
import { mostWebhooks } from '../events/events.writes.ts'
import { voidOrder } from '../orders/orders.writes.ts'
import { refundPayment } from '../payments/refunds.writes.ts'
import { clearSale } from '../payments/sales.writes.ts'
import { paypalTokens } from '../store/paypal.tables.ts'
import { findLocked, list, save } from '../store/store.ts'
import type { Webhook } from '../store/stored.ts'
import { cancel } from '../subscriptions/subscriptions.writes.ts'
import { type Call, inCall, type PaypalDeps } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'

/** From now on the charges of a subscription or an order succeed, or fail. @throws Problem not_found */
export function setFunds(deps: PaypalDeps, id: string, hasFunds: boolean): Promise<void> {
  return inCall(deps, async ({ tx }) => {
    const subscription = await findLocked(tx, 'subscription', id)
    if (subscription) return save(tx, { kind: 'subscription', object: { ...subscription, hasFunds } })
    const order = await findLocked(tx, 'order', id)
    if (!order) throw new Problem('not_found')
    return save(tx, { kind: 'order', object: { ...order, hasFunds } })
  })
}

/** PayPal bills within hours of the time that it names; here exactly then, or so much later. @throws Problem not_found */
export function setLateness(deps: PaypalDeps, id: string, lateHours: number): Promise<void> {
  return inCall(deps, async ({ tx }) => {
    const subscription = await findLocked(tx, 'subscription', id)
    if (!subscription) throw new Problem('not_found')
    await save(tx, { kind: 'subscription', object: { ...subscription, lateHours } })
  })
}

/** From now on the charges of a subscription are pending until they clear, or are completed at once. @throws Problem not_found */
export function setEchecks(deps: PaypalDeps, id: string, paysByEcheck: boolean): Promise<void> {
  return inCall(deps, async ({ tx }) => {
    const subscription = await findLocked(tx, 'subscription', id)
    if (!subscription) throw new Problem('not_found')
    await save(tx, { kind: 'subscription', object: { ...subscription, paysByEcheck } })
  })
}

/** A pending payment of a subscription clears, or is denied. @throws Problem not_found */
export async function clearPayment(deps: PaypalDeps, id: string, isCleared: boolean): Promise<void> {
  await inCall(deps, async (call) => {
    const sale = await findLocked(call.tx, 'sale', id)
    if (sale?.uncleared !== 'PENDING') throw new Problem('not_found')
    await clearSale(call, sale, isCleared)
  })
  deps.onEvents()
}

/** As the buyer does it in their account, or the merchant in its dashboard. @throws Problem */
export async function cancelSubscription(deps: PaypalDeps, id: string, by: 'buyer' | 'merchant'): Promise<void> {
  await asProblem(() => inCall(deps, (call) => cancel(call, id, `Canceled by the ${by} on the control page`)))
  deps.onEvents()
}

/** @throws Problem */
export async function voidUnpaidOrder(deps: PaypalDeps, id: string): Promise<void> {
  if (!(await inCall(deps, (call) => voidOrder(call, id)))) throw new Problem('not_found')
  deps.onEvents()
}

/** What is left of a payment is given back. @throws Problem */
export async function refundRest(deps: PaypalDeps, id: string): Promise<void> {
  await inCall(deps, async (call) => {
    for (const kind of ['capture', 'sale'] as const) {
      const refund = await refundPayment(call, { of: kind, id })
      if (typeof refund !== 'string') return
    }
    throw new Problem('not_found')
  })
  deps.onEvents()
}

/** @throws Problem if no webhook had it */
export async function resendToAll(deps: PaypalDeps, id: string): Promise<void> {
  if (!(await resendEvent(deps.db, id))) throw new Problem('not_found')
  deps.onEvents()
}

/** Every client has to ask for a new token. */
export async function expireTokens({ db }: PaypalDeps): Promise<void> {
  await db.update(paypalTokens).set({ expiresAt: new Date() })
}

interface Wanted {
  url: string
  id?: string | undefined
  eventTypes: string[]
}

/** A webhook with this address and, if given, this id. */
export function ensureWebhook(deps: PaypalDeps, { url, id, eventTypes }: Wanted): Promise<Webhook> {
  return inCall(deps, async ({ tx, now }) => {
    const { objects } = await list(tx, { kind: 'webhook', page: 1, pageSize: mostWebhooks })
    const known = objects.find((one) => (id === undefined ? one.url === url : one.id === id))
    const createdAt = known?.createdAt ?? now.toISOString()
    const object = { id: known?.id ?? id ?? newId.transaction(), url, eventTypes, createdAt }
    await save(tx, { kind: 'webhook', object })
    return object
  })
}

interface Approval {
  link: string
  answer: 'approve' | 'no-funds'
  payer: Payer
}

/** Answers an approval page for the buyer, or somebody else. @returns where the page would lead @throws Problem */
export async function answerFor(deps: PaypalDeps, { link, answer, payer }: Approval): Promise<string | undefined> {
  const tokens = Object.fromEntries(URL.parse(link)?.searchParams ?? [])
  await asProblem(() =>
    inCall(deps, async (call: Call) => {
      const question = await lockQuestion(call.tx, tokens)
      if (question?.state === 'gone' || !question) throw new Problem('not_found')
      if (question.state === 'open') await approve(call, question, { hasFunds: answer === 'approve', payer })
    }),
  )
  deps.onEvents()
  const answered = await findQuestion(deps.db, tokens)
  return answered && returnAddress(answered, true)
}

/** What PayPal refuses is not found here. */
async function asProblem(run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    throw error instanceof Refusal ? new Problem('not_found', { cause: error }) : error
  }
}
