import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addition } from './cases.ts'
import type { DatabaseCase } from './database-cases.ts'
import { keepSaving } from './saves.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { type Act, type Verdict, verdictOn } from './verdict.ts'

const crowdSize = 6
/** Milliseconds after the database is back within which a request is answered well. */
const firstAnswerMs = 5000

export interface DatabaseVerdict extends Verdict {
  acts: number
  /** Programs that ended. */
  dead: number
  /** From the database's return to the first 200. */
  firstAnswerSeconds: number
}

/**
 * Something happens to the database while people save, add cards, and programs ask the single sign-on and the card provider.
 * @returns `over`: the next fault may begin; `settled`: what came of it, once provider and rows agree
 */
export function databaseFault(stage: Stage, databaseCase: DatabaseCase, isShort: boolean) {
  const over = underFault(stage, databaseCase, isShort)
  const settled = over.then(async ({ saves, acts, ...told }): Promise<DatabaseVerdict> => {
    const [saved, cards] = await Promise.all([saves.verdict(), verdictOn(stage, acts, Date.now())])
    return {
      acts: saved.acts + acts.length,
      lost: saved.lost + cards.lost,
      doubled: saved.doubled + cards.doubled,
      untrue: saved.untrue + cards.untrue + told.faultsOfOthers,
      seconds: cards.seconds,
      dead: told.dead,
      firstAnswerSeconds: told.firstAnswerSeconds,
    }
  })
  return { over, settled }
}

async function underFault(stage: Stage, { happen }: DatabaseCase, isShort: boolean) {
  const reader = await stage.person()
  const crowd = await Promise.all(Array.from({ length: crowdSize }, () => stage.person()))
  const cards = await Promise.all(crowd.map(() => stage.typed()))
  const saves = keepSaving(stage, crowd)
  const visits = keepVisiting(stage)
  await pause(500)

  const additions = crowd.map((person, place) => addedInTheEnd(stage, person, cards[place] ?? ''))
  await happen(stage.database, isShort)
  const firstAnswerSeconds = await untilFirstAnswer(stage, reader)
  const acts = await Promise.all(additions)
  await saves.finish()
  return { saves, acts, firstAnswerSeconds, faultsOfOthers: await visits.finish(), dead: stage.deaths() }
}

export function isWell({ lost, doubled, untrue, dead, seconds, firstAnswerSeconds }: DatabaseVerdict): boolean {
  return lost + doubled + untrue + dead === 0 && seconds !== undefined && firstAnswerSeconds * 1000 <= firstAnswerMs
}

/** A card is put on file; asked again with its key until somebody knows. */
async function addedInTheEnd(stage: Stage, person: Person, paymentMethodId: string): Promise<Act> {
  const key = randomUUID()
  const answers: Answer[] = []
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    const answer = await addition(stage, person, paymentMethodId, key)
    answers.push(answer)
    if (answer.status !== 0 && answer.status !== 503) break
  }
  return { person, wish: 'add', paymentMethodId, answers }
}

async function untilFirstAnswer(stage: Stage, person: Person): Promise<number> {
  const from = Date.now()
  const seconds = () => (Date.now() - from) / 1000
  while (seconds() < 30) {
    const { status } = await stage.ask(person, { method: 'GET', path: '/account/profile/' })
    if (status === 200) break
    await pause(20)
  }
  return seconds()
}

/** The other two programs are asked without pause. Answers how often one had a fault to tell. */
function keepVisiting({ ssoUrl, stripe }: Stage) {
  let isFinished = false
  let faults = 0
  const ask = async (question: () => Promise<number>) => {
    while (!isFinished) {
      // A connection that ends is a try that is made again.
      const status = await question().catch(() => 0)
      if (status >= 500 && status !== 503) faults += 1
      await pause(50)
    }
  }
  const validation = `${ssoUrl}/cas/p3/serviceValidate?service=${ssoUrl}/x&ticket=ST-${'0'.repeat(24)}`
  const work = [
    ask(async () => (await fetch(validation, { signal: AbortSignal.timeout(15_000) })).status),
    ask(async () => (await stripe.customers.create({ name: 'Visitor' })).lastResponse.statusCode),
  ]
  return {
    async finish(): Promise<number> {
      isFinished = true
      await Promise.all(work)
      return faults
    },
  }
}
