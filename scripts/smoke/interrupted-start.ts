import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFolder } from '../start/data-directory.ts'
import { expect, processes, start, waitForExit, waitUntil } from './stack.ts'

interface Stage {
  name: string
  isReached(directory: string): Promise<boolean>
}

const has = async (directory: string, file: string) =>
  (await readdir(directory).catch((): string[] => [])).includes(file)

const stages: readonly Stage[] = [
  { name: 'the pages are built', isReached: async () => processes('vite.js').length > 0 },
  { name: 'the cluster is made', isReached: (directory) => has(directory, 'postgresql.new') },
  { name: 'the database comes up', isReached: (directory) => has(directory, 'postgresql.log') },
  { name: 'the tables are migrated', isReached: async () => processes('src/main.ts').length === 3 },
  { name: 'the demo vendor is loaded', isReached: (directory) => has(directory, 'folio.ndjson') },
]

/** Ctrl-C during a first start must end it within 10 s, with everything it started. */
export async function interruptedFirstStart(folder: string): Promise<void> {
  // Makes one page out of date, so that there is something to build.
  await rm(join(projectFolder, 'apps/sandbox/dist/built-from'), { force: true })
  for (const stage of stages) await interruptedAt(stage, join(folder, stage.name.replaceAll(' ', '-')))
}

async function interruptedAt({ name, isReached }: Stage, directory: string): Promise<void> {
  const child = start(directory)
  await waitUntil(async () => expect(await isReached(directory), `a start that comes to where ${name}`), 180_000)

  const interruptedAt = performance.now()
  const { code, output } = await waitForExit(child, () => child.kill('SIGINT'))
  expect(code === 0, `exit 0 while ${name}, not ${code}: ${output}`)
  expect(performance.now() - interruptedAt < 10_000, `an end within 10 s while ${name}`)
  const left = [...processes(''), ...(await readdir(directory)).filter((file) => /lock|new/.test(file))]
  expect(left.length === 0, `nothing left while ${name}, not ${left}`)
}
