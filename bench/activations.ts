import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { activateDevice } from '@atrium/contract/activation.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { hashOf } from '../apps/account-server/src/features/session/session.rules.ts'
import { load, ratioOf } from './ratio.ts'
import { record, type Statement } from './recording.ts'

/** The share of the bare loop's throughput that activations must reach. */
export const activationFloor = 0.5

interface Bench {
  app: FastifyInstance
  url: string
  pool: pg.Pool
  directory: string
  seconds: number
}

/** Keys with enough seats for every activation. */
const keyCount = 200

/** Activations per second through our service, and by a bare loop that sends the same statements. */
export async function activations({ app, url, pool, directory, seconds }: Bench) {
  const keys = await newKeys(pool)
  const keysFile = join(directory, 'keys.txt')
  await writeFile(keysFile, keys.join('\n'))

  const device = { sn: keys[0] ?? '', macAddress: '02:00:00:00:00:FF' }
  const payload = { method: 'keycode', ...device, pcName: 'PC', appVersion: '13.1.0' }
  const { result, statements } = await record(() => app.inject({ method: 'POST', url: activateDevice.path, payload }))
  if (result.statusCode !== 200) throw new Error(result.body)
  const sample = { ...device, ...(await storedDevice(pool, device.macAddress)) }

  // Counted at the server: the load generator does not wait for its last answers.
  let made = 1
  app.server.on('request', (_request, response) =>
    response.once('close', () => {
      if (response.statusCode === 200) made += 1
    }),
  )
  const ratio = await ratioOf(
    { rounds: 3, floor: activationFloor },
    async () => {
      const { perSecond } = await load(url + activateDevice.path, seconds, '', keysFile)
      return perSecond
    },
    async () => {
      const count = await bareLoop(pool, { statements, sample, keys, seconds })
      made += count
      return count / seconds
    },
  )

  const { rows } = await pool.query(
    `select count(*)::int as active from account.key_devices d join account.license_keys k on k.id = d.key_id
     where k.key = any($1) and d.deactivated_at is null`,
    [keys],
  )
  return { ...ratio, made, active: Number(rows[0]?.active) }
}

/** The values that the server generated for a device. */
async function storedDevice(pool: pg.Pool, macAddress: string) {
  const { rows } = await pool.query(
    'select id, token_hash as "tokenHash" from account.key_devices where mac_address = $1',
    [macAddress],
  )
  return { id: String(rows[0]?.id), tokenHash: String(rows[0]?.tokenHash) }
}

async function newKeys(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `with license as (
       insert into account.licenses
         (id, product_code, seats, version, edition, language, platform, created_at, activation_method, ac_lice_id)
       values ('BENCH', 'FPE', 1000000, '', '', '', '', now(), 'keycode', '') returning id
     )
     insert into account.license_keys (license_id, key)
     select license.id, '80000-' || md5('bench' || i) from license, generate_series(1, ${keyCount}) i returning key`,
  )
  return rows.map(({ key }) => String(key))
}

interface Bare {
  statements: readonly Statement[]
  sample: { sn: string; macAddress: string; id: string; tokenHash: string }
  keys: readonly string[]
  seconds: number
}

async function bareLoop(pool: pg.Pool, { statements, sample, keys, seconds }: Bare): Promise<number> {
  const until = performance.now() + seconds * 1000
  let made = 0
  const activateUntilEnd = async () => {
    while (performance.now() < until) {
      const sn = keys[made % keys.length] ?? ''
      const mac = (randomBytes(6).toString('hex').toUpperCase().match(/../g) ?? []).join(':')
      made += 1
      await replay(
        pool,
        statements,
        new Map([
          [sample.sn, sn],
          [hashOf(sample.sn), hashOf(sn)],
          [sample.macAddress, mac],
          [sample.id, randomUUID()],
          [sample.tokenHash, hashOf(mac)],
        ]),
      )
    }
  }
  await Promise.all(Array.from({ length: 50 }, activateUntilEnd))
  return made
}

/** Sends the statements again for another device, with the sample's values and returned ids replaced. */
async function replay(pool: pg.Pool, statements: readonly Statement[], replaced: Map<string, string>): Promise<void> {
  const client = await pool.connect()
  try {
    for (const { query, values, rows } of statements) {
      const result = await client.query(
        query,
        values.map((value) => withReplaced(value, replaced)),
      )
      replaceIds(rows[0], result.rows[0], replaced)
    }
  } finally {
    client.release()
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

function replaceIds(before: unknown, now: unknown, replaced: Map<string, string>): void {
  if (!Array.isArray(before) || !Array.isArray(now)) return
  for (const [index, value] of before.entries()) {
    if (typeof value === 'string' && uuid.test(value)) replaced.set(value, String(now[index]))
  }
}

function withReplaced(value: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (typeof value !== 'string') return value
  return [...replaced].reduce((text, [old, fresh]) => text.replaceAll(old, fresh), value)
}
