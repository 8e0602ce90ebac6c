import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { interruptedFirstStart } from './smoke/interrupted-start.ts'
import { restartedUnderLoad } from './smoke/restarts-under-load.ts'
import {
  expect,
  expectPage,
  kill,
  ports,
  processes,
  start,
  startAndWait,
  waitForExit,
  waitUntil,
} from './smoke/stack.ts'
import { newTemporaryFolder } from './test/temporary-folder.ts'

/**
 * Tests `npm start` on its own ports and data: it starts, survives kill -9 of its parts and of everything, refuses a
 * second start, and Ctrl-C leaves nothing behind.
 */
const facts: [string, (folder: string) => Promise<void>][] = [
  ['the first start comes up with the demo vendor', firstStart],
  ['a second start on the same data is refused with a message', secondStart],
  ['a killed account-server and a killed database are restarted', killedParts],
  ['after kill -9 of Node alone the next start takes over the orphan', killedNode],
  // After a new start, whose first restarts have the shortest pauses.
  ['four restarts under load, over keep-alive connections, lose no request', restartedUnderLoad],
  ['after kill -9 of everything the next start succeeds', killedEverything],
  ['Ctrl-C stops everything within 10 s and leaves no process', stopped],
  ['Ctrl-C during a first start ends it within 10 s and leaves nothing behind', interruptedFirstStart],
]

let running: ChildProcess | undefined

/** Counts how many of the facts hold. */
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
  running = await startAndWait(folder)
  await expectPage(/"member":null/)
  const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/account/dictionaries/?type=order-status`)
  expect((await reply.text()).includes('Completed'), 'the demo vendor’s dictionaries')
}

async function secondStart(folder: string): Promise<void> {
  const { code, output } = await waitForExit(start(folder))
  expect(code === 1, `exit 1, not ${code}`)
  expect(/^Atrium already runs on .*Stop it first/m.test(output), `the message, not ${output}`)
}

async function killedParts(): Promise<void> {
  for (const [name, pattern] of [
    ['account-server', 'account-server/src/main.ts'],
    ['PostgreSQL', 'postgresql -p'],
  ] as const) {
    const [pid] = processes(pattern)
    expect(pid !== undefined, `${name} runs`)
    process.kill(pid ?? 0, 'SIGKILL')
    await sleep(300)
    await waitUntil(() => expectPage(/"member":null/), 60_000)
    await waitUntil(async () => {
      const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/readyz`)
      expect(reply.ok, 'ready')
    }, 60_000)
  }
}

async function killedNode(folder: string): Promise<void> {
  running?.kill('SIGKILL')
  await sleep(200)
  await waitUntil(
    async () => expect(processes('src/main.ts').length === 0, 'the programs end with their parent'),
    30_000,
  )
  running = await startAndWait(folder)
  await expectPage(/"member":null/)
}

async function killedEverything(folder: string): Promise<void> {
  running?.kill('SIGKILL')
  for (const pid of [...processes('src/main.ts'), ...processes('postgresql -p')]) kill(pid)
  running = await startAndWait(folder)
  await expectPage(/"member":null/)
}

async function stopped(): Promise<void> {
  const startedAt = performance.now()
  const { code } = await waitForExit(running, () => running?.kill('SIGINT'))
  expect(code === 0, `exit 0, not ${code}`)
  expect(performance.now() - startedAt < 10_000, 'within 10 s')
  expect(processes('src/main.ts').length + processes('postgresql -p').length === 0, 'no process is left')
}
