import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { productRecords } from '../demo/folio/products.ts'
import { projectFolder } from '../scripts/start/data-directory.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'
import { openStage, type Person, type Stage, waitUntil } from './stage.ts'

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
    await sell(stage)
    const buyers = await bought(stage, count)
    await waitUntil('every purchase is here', async () => (await completed(stage)) === count, 300)
    say(`${count} subscriptions bought`)

    const renewsAt = await lastEnd(stage, buyers)
    // A week ahead the provider announces the renewals.
    await move(stage, new Date(renewsAt.getTime() - 3_600_000 - 60_000))
    const before = await eventsTaken(stage)
    const begunAt = Date.now()
    const [killed] = await Promise.all([
      killing(stage, begunAt),
      move(stage, new Date(renewsAt.getTime() + 2 * 3_600_000)),
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

/** The demo's catalog, put on sale by the vendor's own commands. */
async function sell({ env }: Stage): Promise<void> {
  const file = join(await newTemporaryFolder('catalog'), 'products.ndjson')
  await writeFile(file, [...productRecords()].map((record) => `${JSON.stringify(record)}\n`).join(''))
  const features = join(projectFolder, 'apps/account-server/src/features')
  const run = (...parameters: string[]) =>
    promisify(execFile)(process.execPath, parameters, { env: { ...env, PAYPAL: 'none' } })
  await run(join(features, 'imports/import-command.ts'), file)
  await run(join(features, 'sync/sync-command.ts'), 'catalog')
}

async function bought(stage: Stage, count: number): Promise<Buyer[]> {
  const { stripe } = stage
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const buyers: Buyer[] = []
  const buy = async () => {
    const person = await stage.person()
    const { id: customer } = await stripe.customers.create({ email: person.email })
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

/** Moves the clock, on from where a killed account-server stopped it. */
async function move(stage: Stage, to: Date): Promise<void> {
  let status = await advance(stage, { to: to.toISOString() })
  // The sandbox itself may be catching up. 422: it is there, and only account-server was not told.
  while (status !== 200) {
    if (![409, 422, 502].includes(status)) throw new Error(`the clock answered ${status}`)
    await pause(500)
    status = await advance(stage, status === 422 ? { seconds: 0 } : { to: to.toISOString() })
  }
}

/** It may take longer than `fetch` waits for an answer. @returns the answer's status */
function advance({ sandboxUrl }: Stage, given: object): Promise<number> {
  const body = JSON.stringify(given)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const sent = request(`${sandboxUrl}/clock/control/advance/`, { method: 'POST', headers }, (reply) => {
      reply.resume()
      resolve(reply.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end(body)
  })
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
