import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../scripts/postgres/embedded.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'
import { activationFloor, activations } from './activations.ts'
import { bareServer } from './bare-server.ts'
import { cardEvents } from './card-events.ts'
import { dearCalls, dearCallsLimit } from './dear-calls.ts'
import { growth } from './growth.ts'
import { importSpeed } from './import-speed.ts'
import { measuredPaths } from './lists.ts'
import { archiveLimitMb, orderArchive } from './order-archive.ts'
import { ourServer } from './our-server.ts'
import { load, ratioOf } from './ratio.ts'
import { statementsOf, watch } from './recording.ts'

/**
 * `npm run bench [-- --check] [-- --seconds N] [-- --growth] [-- --only NAME]` prints ratios within one run. With --check
 * it exits 1 if a limit is missed. --growth adds a second database with millions of rows of other customers, which takes
 * minutes.
 */
const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '11' },
  },
})
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]

const directory = await newTemporaryFolder('bench', { isOnDisk: true })
const postgres = await startEmbeddedPostgres({ directory, settings: { max_wal_size: '4GB' } })
let missed = 0

try {
  const ours = await ourServer(postgres.url)
  const { app, db, url, signIn, milliseconds } = ours
  const pool = db.$client
  watch(pool)
  const bare = bareServer(pool)
  const bareUrl = await bare.app.listen({ port: 0, host: '127.0.0.1' })
  const cookie = await signIn('bulk')
  say(`server start to ready        ${Math.round(milliseconds)} ms`)

  const paths = measuredPaths(await largestKey()).filter(({ name }) => name.includes(values.only))
  for (const { name, path, floor } of paths) {
    bare.answer(path, ...(await statementsOf(app, path, cookie)))
    const ratio = await ratioOf(
      { rounds, floor },
      async () => (await load(url + path, seconds, cookie)).perSecond,
      async () => (await load(bareUrl + path, seconds, cookie)).perSecond,
    )
    reportRatio(name, ratio, floor)
  }

  if ('activation'.includes(values.only)) await measureActivation()
  if ('card events'.includes(values.only)) await measureCardEvents()
  if ('dear calls'.includes(values.only)) await measureDearCalls()
  if ('order archive'.includes(values.only)) await measureOrderArchive()
  if (values.only === '') await measureOthers()
  if (values.growth) await measureGrowth()
  await app.close()
  await bare.app.close()
  await pool.end()

  async function measureActivation() {
    const activation = await activations({ app, url, pool, directory, seconds })
    reportRatio('activation', activation, activationFloor)
    verdict(
      activation.made === activation.active,
      `${activation.made} activations, ${activation.active} devices active`,
    )
  }

  async function measureCardEvents() {
    const { sent, perSecond, p99, resolvedSeconds, wrong } = await cardEvents()
    say(`card events                  ${sent} sent, ${perSecond} accepted a second, p99 ${p99} ms`)
    verdict(wrong === 0 && p99 < 1000, `every card as the provider says after ${resolvedSeconds} s, ${wrong} wrong`)
  }

  async function measureDearCalls() {
    for (const { name, alone, beside } of await dearCalls()) {
      const figures = `p50 ${beside[0]} ms, alone ${alone[0]}; p99 ${beside[1]} ms, alone ${alone[1]}`
      verdict(beside[0] <= dearCallsLimit * alone[0], `${`profile beside ${name}`.padEnd(35)} ${figures}`)
    }
  }

  async function measureOrderArchive() {
    const { total, missing, sizeMb, seconds, moreMb } = await orderArchive(ours, cookie)
    say(`order archive                ${total} documents, ${sizeMb} MB in ${seconds} s`)
    verdict(
      missing === 0 && moreMb <= archiveLimitMb,
      `${moreMb} MB more memory (limit ${archiveLimitMb} MB), ${missing} missing`,
    )
  }

  async function measureOthers() {
    say(`memory after the load        ${Math.round(process.memoryUsage().rss / 1_048_576)} MB`)
    say(`import                       ${await importSpeed(postgres.url)} records/s`)
  }

  async function measureGrowth() {
    await pool.query('create database grown')
    const address = new URL(postgres.url)
    address.pathname = '/grown'
    const many = await ourServer(address.href)
    await growth({ few: ours, many, say, verdict })
    await many.app.close()
    await many.db.$client.end()
  }

  async function largestKey(): Promise<string> {
    const { rows } = await pool.query(
      'select key_id from account.key_devices group by key_id order by count(*) desc limit 1',
    )
    return String(rows[0]?.key_id)
  }
} finally {
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(values.check && missed > 0 ? 1 : 0)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function reportRatio(
  name: string,
  { ratio, ours, bare }: { ratio: number; ours: number; bare: number },
  floor: number,
): void {
  const figures = `${(ratio * 100).toFixed(0)} % of bare (limit ${floor * 100} %); ${ours} against ${bare} a second`
  verdict(ratio >= floor, `${name.padEnd(26)} ${figures}`)
}

function verdict(holds: boolean, sentence: string): void {
  if (!holds) missed += 1
  say(`${holds ? 'holds ' : 'MISSED'} ${sentence}`)
}
