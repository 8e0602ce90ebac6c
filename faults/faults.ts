import { parseArgs } from 'node:util'
import { cardNumbersIn, databaseText } from './card-numbers.ts'
import { cases } from './cases.ts'
import { changeKills } from './change-kills.ts'
import { changes } from './changes.ts'
import { databaseCases } from './database-cases.ts'
import { type DatabaseVerdict, databaseFault, isWell } from './database-faults.ts'
import { killCases } from './kill-cases.ts'
import { renewalKills } from './renewal-kills.ts'
import { renewals } from './renewals.ts'
import { soak } from './soak/soak.ts'
import { openStage, type Stage } from './stage.ts'
import { takeOver } from './take-over.ts'
import { type Verdict, verdictOn } from './verdict.ts'

/**
 * `npm run faults -- --renewals [--count N]` renews 1,000 subscriptions by one move of the business clock (`renewals.ts`).
 * `npm run faults -- --changes [--seed N] [--count N]` makes 10,000 generated changes of plans (`changes.ts`).
 * `npm run faults -- --take-over [--count N]` takes over 20,000 subscriptions that the provider has (`take-over.ts`).
 * `npm run faults -- --soak [--seed N] [--count N] [--days N]` runs it through two years of 200 subscriptions (`soak/soak.ts`).
 *
 * `npm run faults [-- --short] [-- --only NAME] [-- --times N]` runs account-server, database and card provider as
 * processes, and injects faults at the card provider, then in the database. Afterwards the provider and our rows must
 * agree within 120 s, nothing may be lost or doubled, and every answer must have been true.
 */
export async function faults({
  short = false,
  only = '',
  times = 3,
} = {}): Promise<{ passed: number; failed: number }> {
  const selected = [...cases, ...killCases].filter(({ name, isShort }) => name.includes(only) && (!short || isShort))
  const stage = await openStage()
  const counts = { passed: 0, failed: 0 }
  try {
    print(line(['fault', 'changes', 'lost', 'doubled', 'untrue', 'agreed after']))
    const verdicts: Promise<void>[] = []
    for (const { name, run } of selected) {
      const changes = await run(stage, short ? 1 : times)
      const endedAt = Date.now()
      // Provider and rows may agree later; the next fault does not wait for that.
      verdicts.push(verdictOn(stage, changes, endedAt).then((verdict) => report(name, changes.length, verdict)))
    }
    print(line(['database fault', 'changes', 'lost', 'doubled', 'untrue', 'dead', 'first 200', 'agreed after']))
    for (const databaseCase of databaseCases.filter(({ name }) => name.includes(only))) {
      const { over, verdict } = databaseFault(stage, databaseCase, short)
      verdicts.push(verdict.then((all) => reportDatabase(databaseCase.name, all)))
      await over
    }
    await Promise.all(verdicts)
    if (!short) {
      const judged = [...(await changeKills(stage, only)), ...(await renewalKills(stage, only))]
      for (const one of judged) verdicts.push(one.then(({ name, verdict }) => report(name, 1, verdict)))
      await Promise.all(verdicts)
    }
    await searchForCards(stage)
  } finally {
    await stage.close()
  }
  return counts

  function report(name: string, changes: number, { lost, doubled, untrue, seconds, told = '' }: Verdict): void {
    const holds = lost + doubled + untrue === 0 && seconds !== undefined
    counts[holds ? 'passed' : 'failed'] += 1
    const agreed = seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`
    print(`${line([name, changes, lost, doubled, untrue, agreed])}${holds ? '' : `  ✗ ${told}`}`)
  }

  function reportDatabase(name: string, verdict: DatabaseVerdict): void {
    const { changes, lost, doubled, untrue, dead, seconds, firstAnswerSeconds } = verdict
    counts[isWell(verdict) ? 'passed' : 'failed'] += 1
    const agreed = seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`
    const figures = [changes, lost, doubled, untrue, dead, `${firstAnswerSeconds.toFixed(1)} s`, agreed]
    print(`${line([name, ...figures])}${isWell(verdict) ? '' : '  ✗'}`)
  }

  /** Searches the database, the log and the traffic for card numbers. A planted number proves that the search works. */
  async function searchForCards({ pool, records }: Stage): Promise<void> {
    const planted = '4242 4242 4242 4242'
    const { log, traffic } = records()
    const places = { database: await databaseText(pool), log, traffic }
    for (const [place, text] of Object.entries(places)) {
      const [found, foundPlanted] = [cardNumbersIn(text), cardNumbersIn(`${text}\n${planted}`)]
      const holds = text.length > 0 && found.length === 0 && foundPlanted.length === 1
      counts[holds ? 'passed' : 'failed'] += 1
      const size = `${(text.length / 1_048_576).toFixed(1)} MB`
      print(`card numbers in the ${place}, ${size}: ${found.length}, with one planted: ${foundPlanted.length}`)
    }
  }
}

function line([name, ...figures]: readonly (string | number)[]): string {
  return `${String(name).padEnd(84)}${figures.map((figure) => String(figure).padStart(14)).join('')}`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      renewals: { type: 'boolean', default: false },
      changes: { type: 'boolean', default: false },
      soak: { type: 'boolean', default: false },
      'take-over': { type: 'boolean', default: false },
      seed: { type: 'string', default: '20261123' },
      days: { type: 'string', default: '730' },
      count: { type: 'string' },
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      times: { type: 'string', default: '3' },
    },
  })
  const { count, seed, days } = values
  const run = () => {
    if (values.renewals) return renewals(Number(count ?? 1000))
    if (values.changes) return changes({ count: Number(count ?? 10_000), seed: Number(seed) })
    if (values['take-over']) return takeOver(Number(count ?? 20_000))
    if (values.soak) return soak({ seed: Number(seed), count: Number(count ?? 200), days: Number(days) })
    return faults({ ...values, times: Number(values.times) })
  }
  const { failed } = await run()
  process.exit(failed > 0 ? 1 : 0)
}
