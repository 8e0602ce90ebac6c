import { randomInt, randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { openStage, type Stage, waitUntil, webhookSecret } from '../faults/stage.ts'

const people = 100
const cardsEach = 10
const types = [
  'setup_intent.created',
  'setup_intent.requires_action',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'setup_intent.updated',
  'setup_intent.expired',
  'setup_intent.processing',
]

const prefix = 'evt_bench'

/** Concurrent requests, as a provider sends them. */
const concurrency = 50

export interface EventFigures {
  sent: number
  /** Events accepted per second. */
  perSecond: number
  /** Milliseconds. */
  p99: number
  /** From the first event until every operation is resolved. */
  resolvedSeconds: number
  /** Cards that are not on file exactly once, and events that are not stored exactly once. */
  wrong: number
}

/** Sends 10,000 signed events about 1,000 cards, of all types, in random order, a fifth of them twice. */
export async function cardEvents(): Promise<EventFigures> {
  const stage = await openStage()
  try {
    const intents: string[] = []
    // A few at a time: the sandbox is not what is measured.
    for (let made = 0; made < people; made += 5) {
      intents.push(...(await Promise.all(Array.from({ length: 5 }, () => cardsOfOne(stage)))).flat())
    }
    const distinct = intents.flatMap((id) => types.map((type) => eventOf(id, type)))
    const repeated = Array.from({ length: distinct.length / 4 }, () => distinct[randomInt(distinct.length)] ?? '')
    const payloads = shuffled([...distinct, ...repeated])

    const startedAt = performance.now()
    const { times, refused } = await sendAll(stage, payloads)
    const sentAt = performance.now()
    const open = 'select count(*)::int from account.provider_operations where resolved_at is null'
    await waitUntil('every addition is resolved', async () => (await countOf(stage, open)) === 0, 120)

    // Without the events that the provider sent itself.
    const ours = `select count(*)::int from account.provider_events where id like '${prefix}%'`
    const stored = await countOf(stage, ours)
    const once = await countOf(
      stage,
      `select count(*)::int from (select from account.activity where action = 'card.added' group by target
       having count(*) = 1) as once`,
    )
    return {
      sent: payloads.length,
      perSecond: Math.round(payloads.length / ((sentAt - startedAt) / 1000)),
      p99: Math.round(times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0),
      resolvedSeconds: Math.round((performance.now() - startedAt) / 1000),
      wrong: refused + Math.abs(intents.length - once) + Math.abs(distinct.length - stored),
    }
  } finally {
    await stage.close()
  }
}

/** Cards that the provider has put on file, and whose operations are still unresolved here. */
async function cardsOfOne({ stripe, pool, person }: Stage): Promise<string[]> {
  const { id: memberId, email } = await person()
  const { id: customer } = await stripe.customers.create({ email })
  await pool.query(
    `insert into account.provider_customers (member_id, customer_id, proof, is_main, created_at) values ($1, $2, 'ours', true, now())`,
    [memberId, customer],
  )
  const ids: string[] = []
  for (let card = 0; card < cardsEach; card += 1) {
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const made = await stripe.setupIntents.create({
      customer,
      payment_method: method.id,
      confirm: true,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    })
    ids.push(made.id)
    await pool.query(
      `insert into account.provider_operations
         (member_id, provider, kind, subject, object_id, input, status, address, request_id, created_at, called_at, next_check_at)
       values ($1, 'card', 'card.add', $2, $3, jsonb_build_object('customerId', $4::text, 'paymentMethodId', $2::text),
         'requires_action', '127.0.0.1', 'bench', now(), now(), now() + interval '1 hour')`,
      [memberId, method.id, `waiting ${made.id}`, customer],
    )
  }
  // Set last, so that the events that the provider sent itself match no operation.
  await pool.query(
    `update account.provider_operations set object_id = replace(object_id, 'waiting ', '') where member_id = $1`,
    [memberId],
  )
  return ids
}

function eventOf(intentId: string, type: string): string {
  const object = { id: intentId, object: 'setup_intent' }
  return JSON.stringify({ id: `${prefix}${randomUUID()}`, object: 'event', type, data: { object } })
}

async function sendAll({ url }: Stage, payloads: readonly string[]) {
  const left = [...payloads]
  const times: number[] = []
  let refused = 0
  const send = async () => {
    for (let payload = left.pop(); payload !== undefined; payload = left.pop()) {
      const startedAt = performance.now()
      const reply = await fetch(`${url}/webhooks/stripe/`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret }),
        },
        body: payload,
      })
      await reply.arrayBuffer()
      times.push(performance.now() - startedAt)
      if (reply.status !== 200) refused += 1
    }
  }
  await Promise.all(Array.from({ length: concurrency }, send))
  return { times, refused }
}

async function countOf({ pool }: Stage, statement: string): Promise<number> {
  return (await pool.query<{ count: number }>(statement)).rows[0]?.count ?? 0
}

function shuffled<Item>(items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = randomInt(last + 1)
    const [one, two] = [items[last], items[other]]
    if (one !== undefined && two !== undefined) [items[last], items[other]] = [two, one]
  }
  return items
}
