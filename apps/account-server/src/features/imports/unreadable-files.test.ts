import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runInside } from '@atrium/server-kit/test-command.ts'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newWorld } from '../../test/world.ts'
import { orders } from '../orders/orders.tables.ts'
import { importCommand } from './imports.command.ts'

const program = join(import.meta.dirname, 'import-command.ts')
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-unreadable-'))
  await mkdir(join(folder, 'closed'))
  for (const name of ['good.pdf', 'secret.pdf', 'closed/inside.pdf']) await writeFile(join(folder, name), '%PDF-1.7')
  await chmod(join(folder, 'secret.pdf'), 0o000)
  await chmod(join(folder, 'closed'), 0o000)
})
afterAll(async () => {
  await chmod(join(folder, 'closed'), 0o700)
  await rm(folder, { recursive: true })
})

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Root reads everything, unless it gives up what lets it: then what nobody may read is closed to it too. */
const caps = '-dac_override,-dac_read_search'
const setpriv = ['setpriv', '--bounding-set', caps, '--inh-caps', caps]
const isRoot = process.getuid?.() === 0
const canBeRefused = !isRoot || spawnSync(setpriv[0] ?? '', [...setpriv.slice(1), 'true']).status === 0

async function runRefused(url: string, path: string): Promise<Ended> {
  const [first = '', ...others] = [...(isRoot ? setpriv : []), process.execPath, program, path]
  const env = { ...process.env, DATABASE_URL: url }
  try {
    return { code: 0, ...(await promisify(execFile)(first, others, { env })) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'stdout' in error && 'stderr' in error) {
      return { code: Number(error.code), stdout: String(error.stdout), stderr: String(error.stderr) }
    }
    throw error
  }
}

const run = (url: string, path: string, more: NodeJS.ProcessEnv = {}) =>
  runInside(importCommand, [path], { DATABASE_URL: url, ...more })

test.runIf(canBeRefused)(
  'a PDF that cannot be read is a refusal of its line, and the lines after it are applied',
  async () => {
    await using world = await newWorld()
    const member = await world.member()
    const invoiceFiles = ['secret.pdf', 'closed/inside.pdf', 'good.pdf']
    const records = invoiceFiles.map((invoiceFile, index) => ({
      ...{ type: 'order', orderNumber: `UR-${index}`, email: member.email, status: 'CO', lines: [{ text: 'Editor' }] },
      ...{ amount: 1, currency: 'EUR', date: '2026-05-01T00:00:00Z', invoiceFile },
    }))
    const path = join(folder, 'orders.ndjson')
    await writeFile(path, records.map((record) => JSON.stringify(record)).join('\n'))

    const reason = 'invoiceFile: cannot be read by the user who runs the import'
    expect(await runRefused(world.config.DATABASE_URL, path)).toMatchObject({
      code: 1,
      stderr: `line 1, ${reason}\nline 2, ${reason}\n`,
      stdout: expect.stringMatching(/^1 lines applied, 2 refused/),
    })
    const applied = await world.db.select().from(orders).where(eq(orders.memberId, member.id))
    expect(applied.map(({ orderNumber }) => orderNumber)).toEqual(['UR-2'])
  },
)

test.runIf(canBeRefused)('an import file that cannot be read is 2, in one sentence', async () => {
  await using world = await newWorld()
  for (const path of [join(folder, 'secret.pdf'), join(folder, 'closed', 'inside.pdf')]) {
    expect(await runRefused(world.config.DATABASE_URL, path)).toEqual({
      code: 2,
      stdout: '',
      stderr: `${path} cannot be read by the user who runs this command.\n`,
    })
  }
})

test.each([
  ['empty', '', 'is empty.'],
  ['UTF-16', Buffer.from('\uFEFF{"type":"member"}', 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'is compressed with gzip. Unpack it first.'],
  [
    'a spreadsheet',
    Buffer.from('PK\u0003\u0004'),
    'is a zip archive, or a spreadsheet. Unpack it, or save its records as NDJSON.',
  ],
  [
    'a JSON document',
    '[\n  {"type": "member"}\n]',
    'is one JSON document over several lines. Each record must be a line of its own (NDJSON).',
  ],
  ['blank lines', '\n\r\n  \n'.repeat(100_000), 'has nothing but blank lines.'],
])('a file of another kind is one sentence: %s', async (_kind, content, sentence) => {
  await using world = await newWorld()
  const path = join(folder, 'other.ndjson')
  await writeFile(path, content)
  expect(await run(world.config.DATABASE_URL, path)).toEqual({ code: 2, stdout: '', stderr: `${path} ${sentence}\n` })
})

test('a pipe that brings nothing is 2, as an empty file is', async () => {
  await using world = await newWorld()
  const path = join(folder, 'pipe')
  await promisify(execFile)('mkfifo', [path])
  const running = run(world.config.DATABASE_URL, path)
  await writeFile(path, '')
  expect(await running).toEqual({ code: 2, stdout: '', stderr: `${path} is empty.\n` })
})

test('a dry run is one, also where npm took the option for its own', async () => {
  await using world = await newWorld()
  const path = join(folder, 'dry.ndjson')
  await writeFile(path, JSON.stringify({ type: 'member', email: 'dry@unreadable.test' }))
  expect((await run(world.config.DATABASE_URL, path, { npm_config_dry_run: 'true' })).stdout).toMatch(
    /^1 lines would be applied/,
  )
  expect(await world.db.$count(members, eq(members.email, 'dry@unreadable.test'))).toBe(0)
})
