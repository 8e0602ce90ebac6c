import { fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../scripts/postgres/embedded.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'
import { importSpeed } from './import-speed.ts'
import { ratioOf } from './ratio.ts'

/** `npm run bench [-- --check] [-- --seconds N]`: ratios within one run; with --check, exit 1 below a stated figure. */
const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, seconds: { type: 'string', default: '4' } },
})

const directory = await newTemporaryFolder('bench')
const postgres = await startEmbeddedPostgres({ directory })
const server = fork(join(import.meta.dirname, 'server.ts'), { env: { ...process.env, DATABASE_URL: postgres.url } })
const say = (line: string) => process.stdout.write(`${line}\n`)

let below = 0
try {
  const { ours, theirs, cookie, milliseconds } = await message<{
    ours: string
    theirs: string
    cookie: string
    milliseconds: number
  }>()
  say(`server start to ready        ${Math.round(milliseconds)} ms`)

  for (const { name, path, floor } of [
    { name: 'profile', path: '/account/profile/', floor: 0.7 },
    { name: 'offline orders', path: '/account/offline-orders/', floor: 0.6 },
  ]) {
    const result = await ratioOf({ ours: ours + path, bare: theirs + path, cookie, seconds: Number(values.seconds) })
    const verdict = result.ratio >= floor ? 'holds' : 'BELOW'
    if (result.ratio < floor) below += 1
    say(
      `${name.padEnd(28)} ${(result.ratio * 100).toFixed(0)} % of bare (limit ${floor * 100} %: ${verdict}); ${result.ours} against ${result.bare} requests/s`,
    )
  }

  server.send('memory')
  say(`memory after the load        ${Math.round((await message<{ megabytes: number }>()).megabytes)} MB`)
  say(`import                       ${await importSpeed(postgres.url)} records/s`)
} finally {
  server.disconnect()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(values.check && below > 0 ? 1 : 0)

function message<Content>(): Promise<Content> {
  return new Promise((resolve, reject) => {
    server.once('message', (content) => resolve(content as Content))
    server.once('exit', () => reject(new Error('the server ended')))
  })
}
