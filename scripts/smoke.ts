import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectFolder } from './start/data-directory.ts'
import { newTemporaryFolder } from './test/temporary-folder.ts'

/**
 * `npm start` as a person meets it, on ports and data of its own: it comes up, survives kill -9 of its parts and of
 * everything, refuses a second start, and Ctrl-C leaves nothing behind.
 */
const facts: [string, (folder: string) => Promise<void>][] = [
  ['the first start comes up with the demo vendor', firstStart],
  ['a second start on the same data is refused in a sentence', secondStart],
  ['a killed account-server and a killed database come back by themselves', killedParts],
  ['a server that is told to stop under load answers everything that it has begun', stoppedUnderLoad],
  ['after kill -9 of Node alone the next start takes over the orphan', killedNode],
  ['after kill -9 of everything the next start comes up by itself', killedEverything],
  ['Ctrl-C stops everything within 10 s and leaves no process', stopped],
]

const ports = { ATRIUM_PORT: '3400', ATRIUM_SSO_PORT: '3401', ATRIUM_SANDBOX_PORT: '3402', SANDBOX_SMTP_PORT: '3425' }
let running: ChildProcess | undefined

/** Answers how many of the facts held. */
export async function smoke(): Promise<{ passed: number; failed: number }> {
  const folder = await newTemporaryFolder('smoke')
  const counts = { passed: 0, failed: 0 }
  for (const [name, fact] of facts) {
    const failure = await fact(folder).then(
      () => undefined,
      (error: unknown) => error,
    )
    counts[failure ? 'failed' : 'passed'] += 1
    process.stdout.write(`${failure ? '✗' : '✓'} ${name}\n`)
    if (failure) process.stdout.write(`  ${failure instanceof Error ? failure.message : String(failure)}\n`)
  }
  running?.kill('SIGINT')
  await rm(folder, { recursive: true, force: true })
  return counts
}

async function firstStart(folder: string): Promise<void> {
  running = await ready(folder)
  await expectPage(/"member":null/)
  const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/account/dictionaries/?type=order-status`)
  expect((await reply.text()).includes('Completed'), 'the demo vendor’s dictionaries')
}

async function secondStart(folder: string): Promise<void> {
  const { code, output } = await ended(start(folder))
  expect(code === 1, `exit 1, not ${code}`)
  expect(/^Atrium already runs on .*Stop it first/m.test(output), `a sentence, not ${output}`)
}

async function killedParts(): Promise<void> {
  for (const [name, pattern] of [
    ['account-server', 'account-server/src/main.ts'],
    ['PostgreSQL', 'postgresql -p'],
  ] as const) {
    const [pid] = await processes(pattern)
    expect(pid !== undefined, `${name} runs`)
    process.kill(pid ?? 0, 'SIGKILL')
    await sleep(300)
    await until(() => expectPage(/"member":null/), 20_000)
    await until(async () => {
      const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/readyz`)
      expect(reply.ok, 'ready')
    }, 20_000)
  }
}

/** Each request has a connection of its own: what was begun before the signal must be answered, and well. */
async function stoppedUnderLoad(): Promise<void> {
  const [pid] = await processes('account-server/src/main.ts')
  let signalledAt = Number.POSITIVE_INFINITY
  const begun: { status: number; error: string; at: number }[] = []
  const until = performance.now() + 3000
  const caller = async () => {
    while (performance.now() < until) begun.push({ at: performance.now(), ...(await asked()) })
  }
  const callers = Array.from({ length: 30 }, caller)
  await sleep(1500)
  kill(pid ?? 0, 'SIGTERM')
  signalledAt = performance.now()
  await Promise.all(callers)

  const before = begun.filter(({ at }) => at < signalledAt)
  const lost = before.filter(({ status }) => status !== 200)
  expect(before.length > 100, `a load, not ${before.length} requests`)
  expect(lost.length === 0, `0 of ${before.length} lost, not ${lost.length}: ${JSON.stringify(lost[0])}`)
}

async function asked(): Promise<{ status: number; error: string }> {
  return new Promise((resolve) => {
    get({ port: ports.ATRIUM_PORT, path: '/account/dictionaries/?type=order-status', agent: false }, (response) => {
      response.resume()
      response.once('close', () =>
        resolve({ status: response.complete ? (response.statusCode ?? 0) : 0, error: 'cut short' }),
      )
    }).once('error', (error) => resolve({ status: 0, error: error.message }))
  })
}

async function killedNode(folder: string): Promise<void> {
  running?.kill('SIGKILL')
  await sleep(200)
  await until(
    async () => expect((await processes('src/main.ts')).length === 0, 'the programs end with their parent'),
    12_000,
  )
  running = await ready(folder)
  await expectPage(/"member":null/)
}

async function killedEverything(folder: string): Promise<void> {
  running?.kill('SIGKILL')
  for (const pid of [...(await processes('src/main.ts')), ...(await processes('postgresql -p'))]) kill(pid)
  running = await ready(folder)
  await expectPage(/"member":null/)
}

async function stopped(): Promise<void> {
  const startedAt = performance.now()
  const { code } = await ended(running, () => running?.kill('SIGINT'))
  expect(code === 0, `exit 0, not ${code}`)
  expect(performance.now() - startedAt < 10_000, 'within 10 s')
  expect(
    (await processes('src/main.ts')).length + (await processes('postgresql -p')).length === 0,
    'no process is left',
  )
}

function start(folder: string): ChildProcess {
  return spawn(process.execPath, [join(projectFolder, 'scripts/start.ts')], {
    env: { ...process.env, ...ports, ATRIUM_DATA_DIR: folder, DATABASE_URL: '', REQUESTS_PER_MINUTE: '1000000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function ready(folder: string): Promise<ChildProcess> {
  const startedAt = performance.now()
  const child = start(folder)
  let output = ''
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (output.includes('Atrium is ready')) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`npm start ended: ${output}`)))
    setTimeout(() => reject(new Error(`npm start is not ready after 120 s: ${output}`)), 120_000).unref()
  })
  process.stdout.write(`  ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  return child
}

async function ended(
  child: ChildProcess | undefined,
  act?: () => void,
): Promise<{ code: number | null; output: string }> {
  if (!child) throw new Error('nothing runs')
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  act?.()
  return { code: await exited, output }
}

async function expectPage(pattern: RegExp): Promise<void> {
  const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/account`)
  const html = await reply.text()
  expect(reply.ok && pattern.test(html), `the account page, not ${reply.status} ${html.slice(0, 200)}`)
}

/** Ids of processes of this stack whose command line has a text in it. Reads /proc, so on Linux alone. */
async function processes(text: string): Promise<number[]> {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const [command, environment] = await Promise.all([
      readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => ''),
      readFile(`/proc/${name}/environ`, 'utf8').catch(() => ''),
    ])
    const isOurs = environment.includes(`ATRIUM_PORT=${ports.ATRIUM_PORT}`)
    if (isOurs && command.replaceAll('\0', ' ').includes(text)) found.push(Number(name))
  }
  return found.sort((a, b) => a - b)
}

function kill(pid: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It went by itself in the meantime.
  }
}

async function until(check: () => Promise<void>, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(200)
    }
  }
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected ${what}`)
}
