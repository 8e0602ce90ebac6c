import { type Arranged, locking } from './kill-cases.ts'
import { type Stage, waitUntil } from './stage.ts'
import { sellCatalog } from './stage-catalog.ts'
import { moveClock } from './stage-clock.ts'
import { passJobLeases, passRetryPauses } from './stage-time.ts'
import { limitSeconds, type Verdict } from './verdict.ts'

const lookupKey = 'fpepb-yearly-usd'

/** The first renewal comes so many days after the purchase, the others a day apart. Each was announced a week before. */
const firstDays = 10

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Renewing {
  email: string
  customer: string
  subscription: string
  renewsAt: Date
}

/** Makes account-server stop at a point of a renewal. */
interface Point {
  name: string
  arrange(stage: Stage, renewing: Renewing): Promise<Arranged>
}

/** Holds a request or an answer between account-server and the card provider. */
function holding(proxy: Stage['provider'], request: RegExp, what: 'request' | 'answer'): Arranged {
  proxy.holdBack({ request, what })
  return { reached: async () => proxy.isHolding(), release: async () => proxy.release({ isLost: true }) }
}

const webhook = /^POST \/webhooks\/stripe\/ /

const readOf = ({ subscription }: Renewing) => new RegExp(`^GET /v1/subscriptions/${subscription}\\W`)

/** The rows of running jobs; what marks a job as done waits for them. */
const runningJobs = "select from account_jobs.job where name = 'payments.webhooks' and state = 'active' for update"

const points: readonly Point[] = [
  { name: 'before the webhook is stored', arrange: async ({ account }) => holding(account, webhook, 'request') },
  { name: 'after the webhook is stored', arrange: async ({ account }) => holding(account, webhook, 'answer') },
  {
    name: 'before the subscription is read',
    arrange: async ({ provider }, renewing) => holding(provider, readOf(renewing), 'request'),
  },
  { name: 'before the commit', arrange: (stage) => locking(stage, 'lock table account.activity in exclusive mode') },
  {
    name: 'after the commit, before the job is done',
    async arrange(stage, renewing) {
      stage.provider.holdBack({ request: readOf(renewing), what: 'answer' })
      let lock: Arranged | undefined
      return {
        async reached() {
          if (!lock && stage.provider.isHolding()) {
            lock = await locking(stage, runningJobs)
            stage.provider.release({ isLost: false })
          }
          return (await lock?.reached()) ?? false
        },
        release: async () => lock?.release(),
      }
    },
  },
  {
    name: 'before the invoice is stored',
    arrange: (stage) => locking(stage, 'lock table account.invoice_files in exclusive mode'),
  },
  {
    name: 'while the email is delivered',
    arrange: (stage) => locking(stage, 'lock table sandbox.messages in exclusive mode'),
  },
]

interface Judged {
  name: string
  verdict: Verdict
}

/** A renewal for each point at which account-server is killed; in the end each has one order, one invoice, one email and one receipt. */
export async function renewalKills(stage: Stage, only: string): Promise<Promise<Judged>[]> {
  const selected = points.map((point) => ({ ...point, name: `renewal, killed ${point.name}` }))
  const cases = selected.filter(({ name }) => name.includes(only))
  if (cases.length === 0) return []
  await sellCatalog({ ...stage.env, PAYPAL: 'none' })
  const begin = new Date()
  const all: { point: Point; renewing: Renewing }[] = []
  for (const [place, point] of cases.entries()) {
    const renewsAt = new Date(begin.getTime() + (firstDays + place) * dayMs)
    all.push({ point, renewing: await buy(stage, renewsAt) })
  }
  const judged: Promise<Judged>[] = []
  for (const { point, renewing } of all) {
    await killAt(stage, point, renewing)
    const endedAt = Date.now()
    judged.push(verdictOn(stage, renewing, endedAt).then((verdict) => ({ name: point.name, verdict })))
  }
  return judged
}

/** Nothing is asked for until the renewal. */
async function buy({ stripe, person }: Stage, renewsAt: Date): Promise<Renewing> {
  const { id: memberId, email } = await person()
  const { data: prices } = await stripe.prices.list({ lookup_keys: [lookupKey] })
  const { id: customer } = await stripe.customers.create({ email, metadata: { memberId } })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const { id: subscription } = await stripe.subscriptions.create({
    customer,
    items: [{ price: prices[0]?.id ?? '' }],
    default_payment_method: card,
    billing_cycle_anchor: Math.trunc(renewsAt.getTime() / 1000),
    proration_behavior: 'none',
  })
  return { email, customer, subscription, renewsAt }
}

async function killAt(stage: Stage, { name, arrange }: Point, renewing: Renewing): Promise<void> {
  await moveClock(stage, new Date(renewing.renewsAt.getTime() - hourMs))
  await waitUntil('earlier jobs are done', async () => (await unfinished(stage)) === 0, limitSeconds)
  const { reached, release } = await arrange(stage, renewing)
  const moved = moveClock(stage, new Date(renewing.renewsAt.getTime() + 2 * hourMs))
  await waitUntil(name, reached, limitSeconds)
  const killedAt = new Date()
  await stage.killServer()
  await release()
  await passJobLeases(stage, killedAt)
  await passRetryPauses(stage)
  await moved
}

async function unfinished({ query }: Stage): Promise<number> {
  const { rows } = await query<{ count: number }>(
    `select count(*)::int from account_jobs.job where state in ('created', 'retry', 'active')
       and name in ('payments.webhooks', 'orders.invoices', 'orders.paid', 'mail', 'subscriptions.created')`,
    [],
  )
  return rows[0]?.count ?? 0
}

/** Waits until our rows say what the provider has and every job is done; then each thing is there once. */
async function verdictOn(stage: Stage, renewing: Renewing, endedAt: number): Promise<Verdict> {
  let [isSettled, seconds] = [false, 0]
  const settle = async () => {
    const counts = await countsOf(stage, renewing)
    isSettled = counts.every((count) => count > 0) && (await unfinished(stage)) === 0
    seconds = (Date.now() - endedAt) / 1000
    return isSettled
  }
  await waitUntil('the renewal is here', settle, limitSeconds).catch(() => undefined)
  const counts = await countsOf(stage, renewing)
  return {
    lost: counts.filter((count) => count === 0).length,
    doubled: counts.filter((count) => count > 1).length,
    untrue: 0,
    seconds: isSettled ? seconds : undefined,
  }
}

/** Payments at the provider, completed orders with their number, invoices, emails, receipts, and rows with the provider's period. */
async function countsOf({ query, stripe }: Stage, { email, customer, subscription }: Renewing): Promise<number[]> {
  const paid = (await stripe.invoices.list({ customer, status: 'paid' })).data.filter(({ total }) => total > 0)
  const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data
  const { rows } = await query<{ orders: number; invoices: number; emails: number; receipts: number; periods: number }>(
    `select (select count(*)::int from account.orders o where o.member_id = m.id and status = 'CO' and invoice_number <> '') as orders,
            (select count(*)::int from account.invoice_files join account.orders o using (order_number)
               where o.member_id = m.id and kind = 'invoice') as invoices,
            (select count(*)::int from sandbox.messages x where x.recipient = m.email and x.subject like '%has been renewed%') as emails,
            (select count(*)::int from sandbox.messages x where x.recipient = m.email and x.subject like 'Your receipt for %') as receipts,
            (select count(*)::int from account.subscriptions s where s.provider_id = $2 and s.period_end = to_timestamp($3)) as periods
     from account.members m where m.email = $1`,
    [email, subscription, item?.current_period_end],
  )
  const none = { orders: 0, invoices: 0, emails: 0, receipts: 0, periods: 0 }
  const [{ orders, invoices, emails, receipts, periods } = none] = rows
  return [paid.length, orders, invoices, emails, receipts, periods]
}
