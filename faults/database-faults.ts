import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { postCard } from './cases.ts'
import type { DatabaseCase } from './database-cases.ts'
import { keepSaving } from './saves.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { type CardChange, type Verdict, verdictOn } from './verdict.ts'

const crowdSize = 6
/** Once the database is back, a request must succeed within this time. */
const firstAnswerMs = 5000

export interface DatabaseVerdict extends Verdict {
  changes: number
  /** Programs that exited. */
  dead: number
  /** From the database's return to the first 200. */
  firstAnswerSeconds: number
}

/**
 * Breaks the database while people save addresses and add cards, and while sso and the sandbox serve requests.
 * @returns `over`: resolves when the next fault may begin; `verdict`: resolves once provider and rows agree
 */
export function databaseFault(stage: Stage, databaseCase: DatabaseCase, isShort: boolean) {
  const over = runUnderFault(stage, databaseCase, isShort)
  const verdict = over.then(async ({ saves, changes, ...seen }): Promise<DatabaseVerdict> => {
    const [saved, cards] = await Promise.all([saves.verdict(), verdictOn(stage, changes, Date.now())])
    return {
      changes: saved.changes + changes.length,
      lost: saved.lost + cards.lost,
      doubled: saved.doubled + cards.doubled,
      untrue: saved.untrue + cards.untrue + seen.otherErrors,
      seconds: cards.seconds,
      dead: seen.dead,
      firstAnswerSeconds: seen.firstAnswerSeconds,
    }
  })
  return { over, verdict }
}

async function runUnderFault(stage: Stage, { run }: DatabaseCase, isShort: boolean) {
  const reader = await stage.person()
  const crowd = await Promise.all(Array.from({ length: crowdSize }, () => stage.person()))
  const cards = await Promise.all(crowd.map(() => stage.createPaymentMethod()))
  const saves = keepSaving(stage, crowd)
  const requests = keepRequesting(stage)
  await pause(500)

  const additions = crowd.map((person, place) => addCardWithRetries(stage, person, cards[place] ?? ''))
  await run(stage.database, isShort)
  const firstAnswerSeconds = await untilFirstAnswer(stage, reader)
  const changes = await Promise.all(additions)
  await saves.finish()
  return { saves, changes, firstAnswerSeconds, otherErrors: await requests.finish(), dead: stage.deaths() }
}

export function isWell({ lost, doubled, untrue, dead, seconds, firstAnswerSeconds }: DatabaseVerdict): boolean {
  return lost + doubled + untrue + dead === 0 && seconds !== undefined && firstAnswerSeconds * 1000 <= firstAnswerMs
}

/** Adds a card, and retries with the same key until there is an outcome. */
async function addCardWithRetries(stage: Stage, person: Person, paymentMethodId: string): Promise<CardChange> {
  const key = randomUUID()
  const answers: Answer[] = []
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    const answer = await postCard(stage, person, paymentMethodId, key)
    answers.push(answer)
    if (answer.status !== 0 && answer.status !== 503) break
  }
  return { person, action: 'add', paymentMethodId, answers }
}

async function untilFirstAnswer(stage: Stage, person: Person): Promise<number> {
  const from = Date.now()
  const seconds = () => (Date.now() - from) / 1000
  while (seconds() < 30) {
    const { status } = await stage.send(person, { method: 'GET', path: '/account/profile/' })
    if (status === 200) break
    await pause(20)
  }
  return seconds()
}

/** Sends requests to sso and the sandbox until finished. @returns how often one failed with another status than 503 */
function keepRequesting({ ssoUrl, stripe }: Stage) {
  let isFinished = false
  let errors = 0
  const repeat = async (request: () => Promise<number>) => {
    while (!isFinished) {
      // A lost connection is retried.
      const status = await request().catch(() => 0)
      if (status >= 500 && status !== 503) errors += 1
      await pause(50)
    }
  }
  const validation = `${ssoUrl}/cas/p3/serviceValidate?service=${ssoUrl}/x&ticket=ST-${'0'.repeat(24)}`
  const work = [
    repeat(async () => (await fetch(validation, { signal: AbortSignal.timeout(15_000) })).status),
    repeat(async () => (await stripe.customers.create({ name: 'Visitor' })).lastResponse.statusCode),
  ]
  return {
    async finish(): Promise<number> {
      isFinished = true
      await Promise.all(work)
      return errors
    },
  }
}
