import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { equivalent } from './mutants/equivalent.ts'
import { type OwnerCondition, ownerConditions } from './mutants/owner-conditions.ts'
import { projectFolder } from './start/data-directory.ts'

/**
 * `npm run mutants [-- NOUN …]`: removes each condition by which a statement is about a member's own rows, one at a time, and runs
 * that noun's tests. A mutant that no test kills is printed, unless it is listed as equivalent; then the exit code is 1.
 */
const nouns = process.argv.slice(2)
const conditions = (await Promise.all((nouns.length > 0 ? nouns : ['*']).map((noun) => ownerConditions(noun)))).flat()
say(`${conditions.length} owner conditions`)

const survivors: OwnerCondition[] = []
for (const [index, condition] of conditions.entries()) {
  const reason = equivalent.get(nameOf(condition))
  const outcome = reason ?? ((await isKilled(condition)) ? 'killed' : 'SURVIVED')
  if (outcome === 'SURVIVED') survivors.push(condition)
  say(`${index + 1}/${conditions.length} ${nameOf(condition)}: ${outcome}`)
}
say(`${survivors.length} survived`)
for (const survivor of survivors) say(`  ${nameOf(survivor)}`)
process.exit(survivors.length > 0 ? 1 : 0)

/** `orders/orders.queries.ts: eq(orders.memberId, member.id) #2` */
function nameOf({ file, text, occurrence }: OwnerCondition): string {
  const short = file.slice('apps/account-server/src/features/'.length)
  return `${short}: ${text.replaceAll(/\s+/g, ' ')}${occurrence > 1 ? ` #${occurrence}` : ''}`
}

/** Whether a test of its noun fails without it. */
async function isKilled({ noun, ...mutation }: OwnerCondition): Promise<boolean> {
  const vitest = join(projectFolder, 'node_modules/vitest/vitest.mjs')
  const folder = `apps/account-server/src/features/${noun}/`
  // From the cache, a module would come as it was before.
  const options = ['--bail', '1', '--reporter', 'dot', '--passWithNoTests', '--fsModuleCache=false']
  const run = spawn(process.execPath, [vitest, 'run', folder, ...options], {
    cwd: projectFolder,
    env: { ...process.env, ATRIUM_MUTANT: JSON.stringify(mutation) },
    stdio: 'ignore',
  })
  const [code] = await once(run, 'exit')
  return code !== 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
