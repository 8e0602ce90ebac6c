import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { equivalent } from './mutants/equivalent.ts'
import { type OwnerCondition, ownerConditions } from './mutants/owner-conditions.ts'
import { projectFolder } from './start/data-directory.ts'
import { newTemporaryFolder } from './test/temporary-folder.ts'
import { type Failure, nameOf as failureName, vitestReport } from './test-reports.ts'

/**
 * `npm run mutants [-- NOUN …]`: removes each condition by which a statement is about a member's own rows, one at a time, and runs
 * that noun's tests. The test that kills a mutant is printed: it must be one about somebody else's rows. A mutant that none kills is
 * printed again at the end, unless it is listed as equivalent; then the exit code is 1.
 */
const nouns = process.argv.slice(2)
const conditions = (await Promise.all((nouns.length > 0 ? nouns : ['*']).map((noun) => ownerConditions(noun)))).flat()
say(`${conditions.length} owner conditions`)

const directory = await newTemporaryFolder('mutants')
const survivors: OwnerCondition[] = []
for (const [index, condition] of conditions.entries()) {
  const reason = equivalent.get(nameOf(condition))
  const outcome = reason ?? (await killerOf(condition)) ?? 'SURVIVED'
  if (outcome === 'SURVIVED') survivors.push(condition)
  say(`${index + 1}/${conditions.length} ${nameOf(condition)}: ${outcome}`)
}
say(`${survivors.length} survived`)
for (const survivor of survivors) say(`  ${nameOf(survivor)}`)
await rm(directory, { recursive: true, force: true })
process.exit(survivors.length > 0 ? 1 : 0)

/** `orders/orders.queries.ts: eq(orders.memberId, member.id) #2` */
function nameOf({ file, text, occurrence }: OwnerCondition): string {
  const short = file.slice('apps/account-server/src/features/'.length)
  return `${short}: ${text.replaceAll(/\s+/g, ' ')}${occurrence > 1 ? ` #${occurrence}` : ''}`
}

/**
 * The test of its noun that fails without it; a file that cannot be run at all counts too. It must fail twice, the second time with its
 * file alone: a test that fails by chance kills nothing.
 */
async function killerOf({ noun, ...mutation }: OwnerCondition): Promise<string | undefined> {
  for (;;) {
    const killer = await firstFailure(`apps/account-server/src/features/${noun}/`, mutation)
    if (!killer || (await firstFailure(killer.file, mutation))) return killer && failureName(killer)
  }
}

async function firstFailure(tests: string, mutation: Omit<OwnerCondition, 'noun'>): Promise<Failure | undefined> {
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs')
  const outputFile = join(directory, 'results.json')
  // From the cache, a module would come as it was before. A slow machine kills no mutant.
  const options = ['--bail', '1', '--reporter', 'json', '--outputFile', outputFile]
  const thorough = ['--fsModuleCache=false', '--testTimeout', '120000']
  await rm(outputFile, { force: true })
  const run = spawn(process.execPath, [vitest, 'run', tests, ...options, ...thorough], {
    cwd: projectFolder,
    env: { ...process.env, ATRIUM_MUTANT: JSON.stringify(mutation) },
    stdio: 'ignore',
  })
  await once(run, 'exit')
  return (await vitestReport(outputFile)).failures[0]
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
