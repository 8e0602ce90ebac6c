import { setTimeout as pause } from 'node:timers/promises'
import { openStage, type Stage } from '../stage.ts'
import { sellCatalog } from '../stage-catalog.ts'
import { type Findings, isClean, newFindings } from './findings.ts'
import { kindsOf } from './kinds.ts'
import { auditMoney } from './money.ts'
import { buyingSteps, type Played, play, quiet } from './play.ts'
import { newRandom, type Random } from './random.ts'
import { say, sayResult, type Told } from './report.ts'
import { wronglyShown } from './shown.ts'
import { auditTold } from './told.ts'

/** A customer of whom nothing was heard for three days is taken over, with the provider's documents. */
const buyingDays = 2

/** How long what was lost may take to be found, and the books to agree, after the last step. */
const quietSeconds = 240
const agreeSeconds = 60

export interface SoakOptions {
  seed: number
  /** How many subscriptions. */
  count: number
  /** How far the clock runs. */
  days: number
}

/**
 * Two years of the business clock over subscriptions of all kinds, with declined cards, cancellations, lost and repeated webhooks, killed
 * programs and a database that drops its connections, all by a seed. In the end providers, rows, lists, invoices and mailboxes agree.
 */
export async function soak({ seed, count, days }: SoakOptions): Promise<{ failed: number }> {
  const begunAt = Date.now()
  const random = newRandom(seed)
  say(`seed ${seed}: ${count} subscriptions, ${days} days`)
  const stage = await openStage({ BUSINESS_CLOCK: 'movable', LOG_LEVEL: 'warn' }, { isDirect: true })
  try {
    await sellCatalog(stage.env)
    const kinds = kindsOf(count, random)
    const played = await play(stage, random, { kinds, steps: stepsOf(days, random), say })
    await quiet(stage, played.now, quietSeconds)
    const { findings, told } = await audit(stage, played)
    await sayResult(stage, { played, told, findings, seconds: (Date.now() - begunAt) / 1000 })
    return { failed: findings.lost.length + findings.doubled.length }
  } finally {
    await stage.close()
  }
}

/** The days of each step. */
function stepsOf(days: number, random: Random): number[] {
  const steps: number[] = []
  for (let left = days; left > 0; ) {
    const step = Math.min(left, steps.length < buyingSteps ? buyingDays : random.int(21, 26))
    steps.push(step)
    left -= step
  }
  return steps
}

/** Compares everything, until it agrees or has had its time. */
async function audit(stage: Stage, played: Played): Promise<{ findings: Findings; told: Told }> {
  const deadline = Date.now() + agreeSeconds * 1000
  for (;;) {
    const findings = newFindings()
    const wrong = await wronglyShown(stage, played.subscribers, played.now)
    findings.lost.push(...played.untrue, ...wrong.map(({ text }) => text))
    const sums = await auditMoney(stage, played.subscribers, findings)
    const emails = await auditTold(stage, played.subscribers, findings)
    if (isClean(findings) || Date.now() > deadline) return { findings, told: { ...sums, emails } }
    await pause(2000)
  }
}
