import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectFolder } from '../start/data-directory.ts'

/** Used by the smoke test only: they identify its processes. */
export const ports = {
  ATRIUM_PORT: '3400',
  ATRIUM_SSO_PORT: '3401',
  ATRIUM_SANDBOX_PORT: '3402',
  SANDBOX_SMTP_PORT: '3425',
}

export function start(folder: string): ChildProcess {
  return spawn(process.execPath, [join(projectFolder, 'scripts/start.ts')], {
    env: { ...process.env, ...ports, ATRIUM_DATA_DIR: folder, DATABASE_URL: '', REQUESTS_PER_MINUTE: '1000000' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

export async function startAndWait(folder: string): Promise<ChildProcess> {
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
    setTimeout(() => reject(new Error(`npm start is not ready after 300 s: ${output}`)), 300_000).unref()
  })
  process.stdout.write(`  ready after ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  return child
}

export async function waitForExit(
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

export async function expectPage(pattern: RegExp): Promise<void> {
  const reply = await fetch(`http://localhost:${ports.ATRIUM_PORT}/account`)
  const html = await reply.text()
  expect(reply.ok && pattern.test(html), `the account page, not ${reply.status} ${html.slice(0, 200)}`)
}

/** Ids of this stack's processes whose command line contains a text. Reads /proc, so it works on Linux only. */
export function processes(text: string): number[] {
  // At once, since those who wait ask often, and most of a promise for each of these files would be the promise.
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).includes(text) && isOurs(name))
    .map(Number)
    .sort((a, b) => a - b)
}

const commandLine = (id: string) => contents(`/proc/${id}/cmdline`).replaceAll('\0', ' ')

const isOurs = (id: string) => contents(`/proc/${id}/environ`).includes(`ATRIUM_PORT=${ports.ATRIUM_PORT}`)

/** Empty for a process that has exited. */
function contents(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function kill(pid: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited in the meantime.
  }
}

/** Retries every few milliseconds, since a stage of a start may be short. */
export async function waitUntil(check: () => Promise<void>, milliseconds: number): Promise<void> {
  const deadline = Date.now() + milliseconds
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}

export function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(`expected ${what}`)
}
