import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { projectFolder } from '../scripts/start/data-directory.ts'
import { openStage, type Stage } from './stage.ts'
import { sellCatalog } from './stage-catalog.ts'

const command = join(projectFolder, 'apps/account-server/src/features/sync/sync-command.ts')

const syncs = ['customers', 'subscriptions', 'invoices'] as const

/** How often each command is killed before it is left alone. */
const kills = 2

/** A command reads page by page: what it needs does not grow with what the provider has. */
const mostMegabytes = 400

/**
 * The provider's account has this many customers, each with a paid subscription, from before Atrium. The vendor takes all over by
 * `npm run sync`; each command is killed twice, run to its end and then once more. Afterwards each subscription is here once.
 */
export async function takeOver(count: number): Promise<{ failed: number }> {
  const stage = await openStage({ PAYPAL: 'none', LOG_LEVEL: 'warn' }, { isDirect: true })
  try {
    await sellCatalog(stage.env)
    await fillProvider(stage, count)
    say(`${count} customers, each with a subscription and its invoice`)
    let most = 0
    for (const name of syncs) {
      for (let killed = 0; killed < kills; killed += 1) await killedRun(stage, name, killed)
      for (const which of ['run to its end', 'run again']) {
        const { seconds, megabytes } = await wholeRun(stage, name)
        most = Math.max(most, megabytes)
        const perSecond = Math.round(count / seconds)
        say(`${name}, ${which}: ${seconds.toFixed(0)} s, ${perSecond} a second, at most ${megabytes} MB`)
      }
    }
    const { lost, doubled } = await verdict(stage)
    say(`${lost} lost, ${doubled} doubled`)
    if (most > mostMegabytes) say(`more memory than ${mostMegabytes} MB`)
    return { failed: lost + doubled + Number(most > mostMegabytes) }
  } finally {
    await stage.close()
  }
}

/** One is bought by the provider's API; the others are its copies, with ids of their own. They have no events: nothing happened. */
async function fillProvider(stage: Stage, count: number): Promise<void> {
  const { stripe, query } = stage
  const email = 'copied-0@example.test'
  const [price] = (await stripe.prices.list({ lookup_keys: ['fpepb-monthly-usd'] })).data
  const { id: customer } = await stripe.customers.create({ email })
  const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const items = [{ price: price?.id ?? '', quantity: 2 }]
  const { latest_invoice: invoice } = await stripe.subscriptions.create({
    customer,
    items,
    default_payment_method: card,
  })
  const { number } = await stripe.invoices.retrieve(String(invoice))

  const renamed = (column: string) =>
    `regexp_replace(${column}, '\\m(cus|sub|si|in|il|ii|pi|pm|ch|inpay|txn)_([A-Za-z0-9]{8,})', '\\1_\\2x' || i, 'g')`
  await query(
    `insert into sandbox.card_objects
       (id, kind, created, is_deleted, customer, email, payment_method, intent, subscription, invoice, status, due_at, kept)
     select ${renamed('id')}, kind, created, is_deleted, ${renamed('customer')}, replace(email, '-0@', '-' || i || '@'),
       ${renamed('payment_method')}, ${renamed('intent')}, ${renamed('subscription')}, ${renamed('invoice')}, status, due_at,
       replace(replace(${renamed('kept::text')}, '${email}', 'copied-' || i || '@example.test'), $3, $3 || i)::json
     from generate_series(1, $2::int) i, sandbox.card_objects
     where (id = $1 or customer = $1) and kind <> 'event'
     order by i, place`,
    [customer, count - 1, number],
  )
  await query(
    `insert into account.members (id, email, email_verified, first_name, last_name, created_at)
     select gen_random_uuid(), 'copied-' || i || '@example.test', true, 'Ada', 'Lindqvist', now()
     from generate_series(0, $1::int - 1) i`,
    [count],
  )
}

function start({ env }: Stage, name: string): ChildProcess {
  return spawn(process.execPath, [command, name], { env, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Kills a command in the middle of its work. */
async function killedRun(stage: Stage, name: string, killed: number): Promise<void> {
  const child = start(stage, name)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await pause(3000 + killed * 2100)
  child.kill('SIGKILL')
  await exited
}

async function wholeRun(stage: Stage, name: string): Promise<{ seconds: number; megabytes: number }> {
  const begunAt = Date.now()
  const child = start(stage, name)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let megabytes = 0
  let code: number | null | undefined
  while (code === undefined) {
    megabytes = Math.max(megabytes, await peakMemory(child))
    code = await Promise.race([exited, pause(200, undefined)])
  }
  if (code !== 0) throw new Error(`sync ${name} exited with ${code}`)
  return { seconds: (Date.now() - begunAt) / 1000, megabytes }
}

/** In megabytes; 0 where the system does not tell, or once it has exited. */
async function peakMemory({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024)
}

/** Each subscription of the provider has one row, with one Owner's seat, one license, and one order of its invoice. */
async function verdict({ query }: Stage): Promise<{ lost: number; doubled: number }> {
  const { rows } = await query<{ lost: number; doubled: number }>(
    `with counted as (
       select (select count(*) from account.subscriptions s where s.provider_id = o.id) as subscriptions,
              (select count(*) from account.seats t where t.subscription_id = s.id) as seats,
              (select count(*) from account.licenses l where l.subscription_id = s.id) as licenses,
              (select count(*) from account.orders r join sandbox.card_objects i on i.id = r.provider_id
               where i.subscription = o.id and r.member_id = s.member_id and r.status = 'CO') as orders
       from sandbox.card_objects o left join account.subscriptions s on s.provider_id = o.id
       where o.kind = 'subscription')
     select (count(*) filter (where least(subscriptions, seats, licenses, orders) < 1))::int as lost,
            (count(*) filter (where greatest(subscriptions, seats, licenses, orders) > 1))::int as doubled
     from counted`,
    [],
  )
  const [{ lost, doubled } = { lost: 1, doubled: 0 }] = rows
  return { lost, doubled }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
