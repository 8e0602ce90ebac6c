import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { superviseProgram } from './programs.ts'
import { newRestarts } from './restarts.ts'

const minute = 60_000

async function newScript(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-programs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'program.js')
  await writeFile(script, code)
  return script
}

/** Runs a real program that exits as soon as it is ready, with `minutesBetween` exits on the supervisor's clock. */
async function runMortal(minutesBetween: number) {
  const script = await newScript("process.send('ready', () => process.exit(1))")
  let time = 0
  const said: string[] = []
  const onFailed = vi.fn()
  const program = superviseProgram({
    name: 'mortal',
    script,
    env: {},
    say: (sentence) => said.push(sentence),
    onFailed,
    restarts: newRestarts({ now: () => (time += minutesBetween * minute), firstPauseMs: 0 }),
  })
  onTestFinished(() => program.stop())
  await program.ready
  const restarted = () => said.filter((sentence) => sentence === 'mortal stopped unexpectedly; restarting it.').length
  return { restarted, onFailed, said }
}

test('a program that exits now and then is always restarted', async () => {
  const { restarted, onFailed } = await runMortal(1)

  await expect.poll(() => restarted()).toBeGreaterThan(30)
  expect(onFailed).not.toHaveBeenCalled()
})

test('a program that exits more than twenty times within ten minutes is not restarted again, and a message says so', async () => {
  const { restarted, onFailed, said } = await runMortal(0)

  await expect.poll(() => onFailed).toHaveBeenCalledOnce()
  expect(restarted()).toBe(20)
  expect(said.at(-1)).toBe('mortal keeps stopping; not restarting it again.')
})

test('the pause before a restart doubles up to five seconds, and is short again after a long run', () => {
  let time = 0
  const restarts = newRestarts({ now: () => time })
  const pauses = (count: number) => Array.from({ length: count }, () => restarts.pauseAfterExit())

  expect(pauses(7)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  time += 11 * minute
  expect(pauses(2)).toEqual([200, 400])
})

test('a program may use its own limit for a graceful stop', async () => {
  const script = await newScript(
    `const { writeFileSync } = require('node:fs')
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync(__dirname + '/done', ''); process.exit(0) }, 6000))
    setInterval(() => undefined, 1000)
    process.send('ready')`,
  )
  const program = superviseProgram({ name: 'slow', script, env: {}, say: () => undefined, onFailed: () => undefined })
  await program.ready
  const startedAt = performance.now()
  await program.stop()

  expect(await readdir(join(script, '..'))).toContain('done')
  expect(performance.now() - startedAt).toBeLessThan(8000)
})
