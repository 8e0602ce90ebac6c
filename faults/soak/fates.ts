import type { Stage } from '../stage.ts'
import type { Fate } from './kinds.ts'
import type { Subscriber } from './subscriber.ts'

/** A card that is attached like any other, and declines every charge. */
const decliningCard = '4000000000000341'

/** A card whose bank asks its holder at every charge. */
const askingCard = '4000002760003184'

/** Does what a subscriber's fate says for this step. @returns the fate, if something was done */
export async function meetFate(stage: Stage, subscriber: Subscriber, step: number): Promise<Fate | undefined> {
  const { fate, fateStep, stage: reached } = subscriber
  if (fate === 'none' || reached === undefined || step < fateStep) return undefined
  const next =
    subscriber.provider === 'card' ? await atCardProvider(stage, subscriber) : await atPaypal(stage, subscriber)
  subscriber.stage = next
  return next === reached ? undefined : fate
}

/** @returns how far the fate is then */
async function atCardProvider(
  stage: Stage,
  { id, customer, fate, stage: reached }: Subscriber,
): Promise<number | undefined> {
  const { stripe } = stage
  const subscription = await stripe.subscriptions.retrieve(id)
  if (subscription.ended_at !== null) return undefined
  if (reached === 0) {
    if (fate === 'canceled') await stripe.subscriptions.cancel(id)
    if (fate === 'ended' || fate === 'resumed') await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    if (fate === 'declined' || fate === 'mended') await payBy(stage, { id, customer, card: decliningCard })
    if (fate === 'asked' || fate === 'answered') await payBy(stage, { id, customer, card: askingCard })
    return fate === 'resumed' || fate === 'mended' || fate === 'answered' ? 1 : undefined
  }
  if (fate === 'resumed') {
    await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    return undefined
  }
  if (subscription.status !== 'past_due') return reached
  if (fate === 'mended') await mend(stage, { id, customer })
  if (fate === 'answered') await answerBank(stage, id)
  return undefined
}

interface Payer {
  id: string
  customer: string
}

/** From now on the subscription is charged to this card. */
async function payBy({ stripe, createPaymentMethod }: Stage, { id, customer, card }: Payer & { card: string }) {
  const { id: method } = await stripe.paymentMethods.attach(await createPaymentMethod(card), { customer })
  await stripe.subscriptions.update(id, { default_payment_method: method })
}

/** A good card again, and what is due is paid with it. */
async function mend(stage: Stage, payer: Payer): Promise<void> {
  await payBy(stage, { ...payer, card: '4242424242424242' })
  const open = await stage.stripe.invoices.list({ subscription: payer.id, status: 'open', limit: 100 })
  for (const { id } of open.data) await stage.stripe.invoices.pay(id)
}

/** On the invoice's page: the card on file, and then the bank's question. */
async function answerBank({ stripe, sandboxUrl }: Stage, id: string): Promise<void> {
  const { default_payment_method: card } = await stripe.subscriptions.retrieve(id)
  const open = await stripe.invoices.list({ subscription: id, status: 'open', limit: 100 })
  for (const { hosted_invoice_url: page } of open.data) {
    const asked = await submit(sandboxUrl, page ?? '', { card: String(card) })
    await submit(sandboxUrl, new URL(asked.headers.get('location') ?? '', sandboxUrl).href, { answer: 'complete' })
  }
}

function submit(origin: string, address: string, fields: Record<string, string>): Promise<Response> {
  return fetch(address, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields), redirect: 'manual' })
}

async function atPaypal(
  { paypalControl, query }: Stage,
  { id, fate, stage: reached }: Subscriber,
): Promise<number | undefined> {
  const { rows } = await query<{ status: string; hasFailed: boolean }>(
    `select stored #>> '{object,status}' as status, stored #>> '{object,lastFailure}' is not null as "hasFailed"
     from sandbox.paypal_objects where id = $1`,
    [id],
  )
  const [found] = rows
  if (found?.status !== 'ACTIVE') return undefined
  if (fate === 'canceled') await paypalControl('POST', `subscriptions/${id}/cancel/`, { by: 'buyer' })
  if (reached === 0 && fate !== 'canceled') await paypalControl('PUT', `funds/${id}/`, { hasFunds: false })
  if (reached === 0) return fate === 'with funds again' ? 1 : undefined
  if (!found.hasFailed) return reached
  await paypalControl('PUT', `funds/${id}/`, { hasFunds: true })
  return undefined
}
