import { setTimeout as pause } from 'node:timers/promises'
import { openStage, type Person, type Stage, waitUntil } from './stage.ts'
import { sellCatalog } from './stage-catalog.ts'
import { moveClock } from './stage-clock.ts'

const lookupKey = 'fpepb-monthly-usd'

/** How many customers buy at once. */
const concurrency = 8

/** How often account-server is killed while the clock moves. */
const kills = 10

interface Buyer {
  person: Person
  customer: string
  subscription: string
}

/**
 * Subscriptions that renew by one move of the clock, with every event delivered as a webhook, while account-server is killed again and
 * again: each is charged once and has one order, one invoice and one email.
 */
export async function renewals(count: number): Promise<{ failed: number }> {
  const stage = await openStage({ BUSINESS_CLOCK: 'movable', SANDBOX_MOVES_ACCOUNT_CLOCK: 'true', LOG_LEVEL: 'warn' })
  try {
    await sellCatalog({ ...stage.env, PAYPAL: 'none' })
    const buyers = await bought(stage, count)
    await waitUntil('every purchase is here', async () => (await completed(stage)) === count, 300)
    say(`${count} subscriptions bought`)

    const renewsAt = await lastEnd(stage, buyers)
    // A week ahead the provider announces the renewals.
    await moveClock(stage, new Date(renewsAt.getTime() - 3_600_000 - 60_000))
    const before = await eventsTaken(stage)
    const begunAt = Date.now()
    const [killed] = await Promise.all([
      killing(stage, begunAt),
      moveClock(stage, new Date(renewsAt.getTime() + 2 * 3_600_000)),
    ])
    const moved = (Date.now() - begunAt) / 1000
    const agreed = await waitUntil(
      'every renewal is here',
      async () => (await completed(stage)) === 2 * count,
      300,
    ).then(
      () => true,
      () => false,
    )
    const taken = (await eventsTaken(stage)) - before
    const seconds = (Date.now() - begunAt) / 1000
    say(`moved in ${moved.toFixed(0)} s with ${killed} kills; ${taken} events, ${(taken / moved).toFixed(0)} a second`)
    say(agreed ? `everything agreed after ${seconds.toFixed(0)} s` : 'it never agreed')
    const { lost, doubled } = await verdict(stage, buyers)
    say(`${count} renewals: ${lost} lost, ${doubled} doubled`)
    return { failed: agreed ? lost + doubled : 1 }
  } finally {
    await stage.close()
  }
}

async function bought(stage: Stage, count: number): Promise<Buyer[]> {
  const { stripe } = stage
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const buyers: Buyer[] = []
  const buy = async () => {
    const person = await stage.person()
    const { id: customer } = await stripe.customers.create({ email: person.email, metadata: { memberId: person.id } })
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
    const items = [{ price: price?.id ?? '', quantity: 2 }]
    const { id } = await stripe.subscriptions.create({ customer, items, default_payment_method: card })
    buyers.push({ person, customer, subscription: id })
  }
  let left = count
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await buy()
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return buyers
}

async function lastEnd({ stripe }: Stage, buyers: readonly Buyer[]): Promise<Date> {
  const last = await stripe.subscriptions.retrieve(buyers.at(-1)?.subscription ?? '')
  return new Date((last.items.data[0]?.current_period_end ?? 0) * 1000)
}

async function killing(stage: Stage, begunAt: number): Promise<number> {
  let killed = 0
  for (; killed < kills; killed += 1) {
    // Unequal pauses: no kill comes at the same step.
    await pause(1500 + ((begunAt + killed * 7919) % 1700))
    await stage.killServer()
  }
  return killed
}

async function count({ query }: Stage, statement: string): Promise<number> {
  return (await query<{ count: number }>(`select count(*)::int as count from ${statement}`, [])).rows[0]?.count ?? 0
}

const eventsTaken = (stage: Stage) => count(stage, 'account.provider_events')

/** Orders that are completed, with their invoice. */
const completed = (stage: Stage) =>
  count(
    stage,
    `account.orders o where status = 'CO' and exists
      (select from account.invoice_files f where f.order_number = o.order_number and kind = 'invoice')`,
  )

/** What provider, rows, files and mailboxes have of each subscription. */
async function verdict(stage: Stage, buyers: readonly Buyer[]) {
  const { rows } = await stage.query<{ email: string; orders: number; mails: number; end: Date; amount: number }>(
    `select m.email,
            (select count(*)::int from account.orders o where o.member_id = m.id and o.status = 'CO') as orders,
            (select coalesce(sum(o.amount), 0)::int from account.orders o where o.member_id = m.id) as amount,
            (select count(*)::int from sandbox.messages x where x.recipient = m.email and x.subject like '%has been renewed%') as mails,
            s.period_end as end
     from account.members m join account.subscriptions s on s.member_id = m.id`,
    [],
  )
  const ours = new Map(rows.map((row) => [row.email, row]))
  let [lost, doubled] = [0, 0]
  for (const { person, customer, subscription } of buyers) {
    const row = ours.get(person.email)
    const paid = (await stage.stripe.invoices.list({ customer, status: 'paid' })).data
    const end = (await stage.stripe.subscriptions.retrieve(subscription)).items.data[0]?.current_period_end ?? 0
    const charged = paid.reduce((sum, { amount_paid: amount }) => sum + amount, 0)
    const isLost = paid.length < 2 || !row || row.orders < 2 || row.mails < 1 || row.end.getTime() !== end * 1000
    const isDoubled = paid.length > 2 || (row && (row.orders > 2 || row.mails > 1))
    lost += Number(isLost || charged !== row?.amount)
    doubled += Number(isDoubled)
  }
  const gaps = await count(
    stage,
    `(select 1 from account.orders where invoice_number <> ''
      having count(*) <> max(substr(invoice_number, 5)::int) - 100000 or count(*) <> count(distinct invoice_number)) g`,
  )
  if (gaps > 0) say('the invoice numbers have gaps')
  return { lost: lost + gaps, doubled }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
