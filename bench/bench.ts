import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../scripts/postgres/embedded.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'
import { activations } from './activations.ts'
import { bareServer } from './bare-server.ts'
import { cardEvents } from './card-events.ts'
import { grownTables, growOthers, scannedTables } from './growth.ts'
import { importSpeed } from './import-speed.ts'
import { measuredPaths } from './lists.ts'
import { ourServer } from './our-server.ts'
import { load, median, ratioOf } from './ratio.ts'
import { recorded, watch } from './recording.ts'

/**
 * `npm run bench [-- --check] [-- --seconds N] [-- --growth] [-- --only NAME]`: ratios within one run; with --check, exit 1 below a stated
 * figure. --growth adds two million licenses of other customers, which takes minutes.
 */
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
  },
})
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]

const directory = await newTemporaryFolder('bench')
const postgres = await startEmbeddedPostgres({ directory, settings: { max_wal_size: '4GB' } })
let missed = 0

try {
  const { app, db, url, signIn, milliseconds } = await ourServer(postgres.url)
  const pool = db.$client
  watch(pool)
  const bare = bareServer(pool)
  const bareUrl = await bare.app.listen({ port: 0, host: '127.0.0.1' })
  const cookie = await signIn('bulk')
  say(`server start to ready        ${Math.round(milliseconds)} ms`)

  const paths = measuredPaths(await largestKey()).filter(({ name }) => name.includes(values.only))
  for (const { name, path, floor } of paths) {
    bare.answer(path, ...(await statementsOf(path, cookie)))
    const ratio = await ratioOf(
      rounds,
      async () => (await load(url + path, seconds, cookie)).perSecond,
      async () => (await load(bareUrl + path, seconds, cookie)).perSecond,
    )
    tell(name, ratio, floor)
  }

  if ('activation'.includes(values.only)) await activating()
  if ('card events'.includes(values.only)) await tellingEvents()
  if (values.only === '') await others()
  if (values.growth) await growth()
  await app.close()
  await bare.app.close()
  await pool.end()

  async function activating() {
    const activation = await activations({ app, url, pool, directory, seconds })
    tell('activation', activation, 0.5)
    verdict(
      activation.made === activation.active,
      `${activation.made} activations, ${activation.active} devices active`,
    )
  }

  async function tellingEvents() {
    const { sent, perSecond, p99, settledSeconds, wrong } = await cardEvents()
    say(`card events                  ${sent} told, ${perSecond} taken a second, p99 ${p99} ms`)
    verdict(wrong === 0 && p99 < 1000, `every card as the provider says after ${settledSeconds} s, ${wrong} wrong`)
  }

  async function others() {
    say(`memory after the load        ${Math.round(process.memoryUsage().rss / 1_048_576)} MB`)
    say(`import                       ${await importSpeed(postgres.url)} records/s`)
  }

  async function statementsOf(path: string, as: string) {
    const ask = () => app.inject({ url: path, headers: { cookie: as } })
    // The first request of a session writes that it was seen.
    await ask()
    const { result, statements } = await recorded(ask)
    if (result.statusCode !== 200) throw new Error(`${path}: ${result.body}`)
    return [statements, result.json()] as const
  }

  async function largestKey(): Promise<string> {
    const { rows } = await pool.query(
      'select key_id from account.key_devices group by key_id order by count(*) desc limit 1',
    )
    return String(rows[0]?.key_id)
  }

  /** First pages before and after a hundred times the rows of other customers, and the plans of then. */
  async function growth() {
    const people = { bulk: cookie, ada: await signIn('ada') }
    const firstPages = ['/account/licenses/', '/account/online-orders/', '/account/email-devices/']
    const watched = Object.entries(people).flatMap(([name, as]) =>
      firstPages.map((path) => ({ name: `${name} ${path}`, as, path })),
    )
    const before = await Promise.all(watched.map(() => 0))
    for (const [index, { path, as }] of watched.entries()) before[index] = await typicalTime(path, as)
    await growOthers(pool, say)
    await forgetPlans()

    for (const [index, { name, path, as }] of watched.entries()) {
      const factor = (await typicalTime(path, as)) / (before[index] ?? 1)
      verdict(factor <= 1.3, `${name} with 100 times the rows: ${factor.toFixed(2)} times as long (limit 1.3)`)
      const [statements] = await statementsOf(path, as)
      for (const { query, values: given } of statements) {
        const { scans, lines } = await scannedTables(pool, query.text ?? '', given)
        const large = scans.filter((table) => grownTables.includes(table))
        if (index >= firstPages.length) say(lines.map((line) => `    ${line}`).join('\n'))
        verdict(
          large.length === 0,
          `  ${query.name ?? 'unnamed'}: ${large.join(', ') || 'no table'} read from end to end`,
        )
      }
    }
  }

  /** Milliseconds of one request after the other, the median of two hundred. */
  async function typicalTime(path: string, as: string): Promise<number> {
    const times: number[] = []
    for (let index = 0; index < 120; index += 1) {
      const startedAt = performance.now()
      await app.inject({ url: path, headers: { cookie: as } })
      if (index >= 20) times.push(performance.now() - startedAt)
    }
    return median(times)
  }

  /** New statistics, new plans: as after autovacuum. */
  async function forgetPlans(): Promise<void> {
    await Promise.all(Array.from({ length: 10 }, () => pool.query('discard plans')))
  }
} finally {
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(values.check && missed > 0 ? 1 : 0)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function tell(name: string, { ratio, ours, bare }: { ratio: number; ours: number; bare: number }, floor: number): void {
  const figures = `${(ratio * 100).toFixed(0)} % of bare (limit ${floor * 100} %); ${ours} against ${bare} a second`
  verdict(ratio >= floor, `${name.padEnd(26)} ${figures}`)
}

function verdict(holds: boolean, sentence: string): void {
  if (!holds) missed += 1
  say(`${holds ? 'holds ' : 'MISSED'} ${sentence}`)
}
