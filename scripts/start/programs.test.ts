import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runProgramBeside } from './programs.ts'
import { newRestarts } from './restarts.ts'

const minute = 60_000

async function newScript(code: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-programs-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const script = join(folder, 'program.js')
  await writeFile(script, code)
  return script
}

/** A real program that dies as soon as it is up; `minutesBetween` its deaths pass on the clock of the start. */
async function runMortal(minutesBetween: number) {
  const script = await newScript("process.send('ready', () => process.exit(1))")
  let time = 0
  const said: string[] = []
  const onGivenUp = vi.fn()
  const program = runProgramBeside({
    name: 'mortal',
    script,
    env: {},
    say: (sentence) => said.push(sentence),
    onGivenUp,
    restarts: newRestarts({ now: () => (time += minutesBetween * minute), firstPauseMs: 0 }),
  })
  onTestFinished(() => program.stop())
  await program.ready
  const restarted = () => said.filter((sentence) => sentence === 'mortal went away; it is started again.').length
  return { restarted, onGivenUp, said }
}

test('a program that dies now and then is started again, however often it has died in its life', async () => {
  const { restarted, onGivenUp } = await runMortal(1)

  await vi.waitFor(() => expect(restarted()).toBeGreaterThan(30), 15_000)
  expect(onGivenUp).not.toHaveBeenCalled()
})

test('a program that dies more than twenty times within ten minutes is given up, and a sentence says so', async () => {
  const { restarted, onGivenUp, said } = await runMortal(0)

  await vi.waitFor(() => expect(onGivenUp).toHaveBeenCalledOnce(), 15_000)
  expect(restarted()).toBe(20)
  expect(said.at(-1)).toBe('mortal does not stay up.')
})

test('the pause before a restart doubles up to five seconds, and shrinks again once it has stayed up', () => {
  let time = 0
  const restarts = newRestarts({ now: () => time })
  const pauses = (count: number) => Array.from({ length: count }, () => restarts.pauseAfterDeath())

  expect(pauses(7)).toEqual([200, 400, 800, 1600, 3200, 5000, 5000])
  time += 11 * minute
  expect(pauses(2)).toEqual([200, 400])
})

test('a program gets the time to stop that it allows itself', async () => {
  const script = await newScript(
    `const { writeFileSync } = require('node:fs')
    process.on('SIGTERM', () => setTimeout(() => { writeFileSync(__dirname + '/done', ''); process.exit(0) }, 6900))
    setInterval(() => undefined, 1000)
    process.send('ready')`,
  )
  const program = runProgramBeside({ name: 'slow', script, env: {}, say: () => undefined, onGivenUp: () => undefined })
  await program.ready
  const startedAt = performance.now()
  await program.stop()

  expect(await readdir(join(script, '..'))).toContain('done')
  expect(performance.now() - startedAt).toBeLessThan(8000)
})
