import { parseArgs } from 'node:util'
import { cardNumbersIn, databaseText } from './card-numbers.ts'
import { cases } from './cases.ts'
import { databaseCases } from './database-cases.ts'
import { type DatabaseVerdict, databaseFault, isWell } from './database-faults.ts'
import { killCases } from './kill-cases.ts'
import { openStage, type Stage } from './stage.ts'
import { type Verdict, verdictOn } from './verdict.ts'

/**
 * `npm run faults [-- --short] [-- --only NAME] [-- --times N]`: account-server, database and card provider as programs, and
 * everything goes wrong that can, around the card provider and then with the database. Afterwards the provider’s ledger and our rows must agree within 120 s, nothing may be lost or
 * doubled, and what people were told must be true.
 */
export async function faults({
  short = false,
  only = '',
  times = 3,
} = {}): Promise<{ passed: number; failed: number }> {
  const wanted = [...cases, ...killCases].filter(({ name, isShort }) => name.includes(only) && (!short || isShort))
  const stage = await openStage()
  const counts = { passed: 0, failed: 0 }
  try {
    say(line(['fault', 'acts', 'lost', 'doubled', 'untrue', 'agreed after']))
    const verdicts: Promise<void>[] = []
    for (const { name, run } of wanted) {
      const acts = await run(stage, short ? 1 : times)
      const endedAt = Date.now()
      // What comes later is awaited beside the next fault.
      verdicts.push(verdictOn(stage, acts, endedAt).then((verdict) => tell(name, acts.length, verdict)))
    }
    say(line(['fault of the database', 'acts', 'lost', 'doubled', 'untrue', 'dead', 'first 200', 'agreed after']))
    for (const databaseCase of databaseCases.filter(({ name }) => name.includes(only))) {
      const verdict = databaseFault(stage, databaseCase, short)
      verdicts.push(verdict.settled.then((all) => tellDatabase(databaseCase.name, all)))
      await verdict.over
    }
    await Promise.all(verdicts)
    await searchForCards(stage)
  } finally {
    await stage.close()
  }
  return counts

  function tell(name: string, acts: number, { lost, doubled, untrue, seconds }: Verdict): void {
    const holds = lost + doubled + untrue === 0 && seconds !== undefined
    counts[holds ? 'passed' : 'failed'] += 1
    const agreed = seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`
    say(`${line([name, acts, lost, doubled, untrue, agreed])}${holds ? '' : '  ✗'}`)
  }

  function tellDatabase(name: string, verdict: DatabaseVerdict): void {
    const { acts, lost, doubled, untrue, dead, seconds, firstAnswerSeconds } = verdict
    counts[isWell(verdict) ? 'passed' : 'failed'] += 1
    const agreed = seconds === undefined ? 'never' : `${seconds.toFixed(1)} s`
    const figures = [acts, lost, doubled, untrue, dead, `${firstAnswerSeconds.toFixed(1)} s`, agreed]
    say(`${line([name, ...figures])}${isWell(verdict) ? '' : '  ✗'}`)
  }

  /** After everything: no card number in the database, the log or the traffic; one that is planted is found. */
  async function searchForCards({ pool, records }: Stage): Promise<void> {
    const planted = '4242 4242 4242 4242'
    const { log, traffic } = records()
    const places = { database: await databaseText(pool), log, traffic }
    for (const [place, text] of Object.entries(places)) {
      const [found, foundPlanted] = [cardNumbersIn(text), cardNumbersIn(`${text}\n${planted}`)]
      const holds = text.length > 0 && found.length === 0 && foundPlanted.length === 1
      counts[holds ? 'passed' : 'failed'] += 1
      const size = `${(text.length / 1_048_576).toFixed(1)} MB`
      say(`card numbers in the ${place}, ${size}: ${found.length}, with one planted: ${foundPlanted.length}`)
    }
  }
}

function line([name, ...figures]: readonly (string | number)[]): string {
  return `${String(name).padEnd(58)}${figures.map((figure) => String(figure).padStart(14)).join('')}`
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      times: { type: 'string', default: '3' },
    },
  })
  const { failed } = await faults({ ...values, times: Number(values.times) })
  process.exit(failed > 0 ? 1 : 0)
}
