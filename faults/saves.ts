import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Person, Stage } from './stage.ts'

/** An address with a unique zip that somebody added, and removed again. */
interface Save {
  zip: string
  isAdded: boolean
  isRemoved: boolean
}

export interface Saves {
  /** Starts no new saves, and waits until those under way are answered. */
  finish(): Promise<void>
  /** Compares the rows with the answers. */
  verdict(): Promise<{ changes: number; lost: number; doubled: number; untrue: number }>
}

/** How long a save is retried. */
const deadlineMs = 60_000

/** Lets these people save without pause. Each save is retried with its key until it is answered. */
export function keepSaving(stage: Stage, people: readonly Person[]): Saves {
  const saves: Save[] = []
  const answers: Answer[] = []
  let isFinished = false

  const untilAnswered = async (person: Person, call: Parameters<Stage['send']>[1]): Promise<Answer> => {
    for (const end = Date.now() + deadlineMs; ; await pause(100)) {
      const answer = await stage.send(person, call)
      answers.push(answer)
      const isTransient = answer.status === 0 || answer.status === 503
      if (!isTransient || Date.now() > end) return answer
    }
  }
  const work = people.map(async (person) => {
    while (!isFinished) {
      const save: Save = { zip: randomUUID().slice(0, 18), isAdded: false, isRemoved: false }
      saves.push(save)
      const body = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillZip: save.zip }
      const path = '/account/billing-addresses/'
      const added = await untilAnswered(person, { method: 'POST', path, body, key: randomUUID() })
      save.isAdded = added.status === 200
      const list = added.body.list as { id: string; orderBillZip: string; isDefaultAddress: number }[] | undefined
      const address = list?.find(({ orderBillZip }) => orderBillZip === save.zip)
      if (!address || address.isDefaultAddress) continue
      const removed = await untilAnswered(person, { method: 'DELETE', path: `${path}${address.id}/` })
      // 404: an earlier request removed it, and its answer was lost.
      save.isRemoved = removed.status === 200 || removed.status === 404
    }
  })

  return {
    async finish() {
      isFinished = true
      await Promise.all(work)
    },
    async verdict() {
      const { rows } = await stage.query<{ zip: string; action: string; count: number }>(
        `select coalesce(details #>> '{after,zip}', details #>> '{before,zip}') as zip, action, count(*)::int
         from account.activity where member_id = any($1) and action in ('address.added', 'address.deleted') group by 1, 2`,
        [people.map(({ id }) => id)],
      )
      const countOf = (zip: string, action: string) =>
        rows.find((row) => row.zip === zip && row.action === action)?.count ?? 0
      const lost = saves.filter(
        ({ zip, isAdded, isRemoved }) =>
          (isAdded && countOf(zip, 'address.added') === 0) || (isRemoved && countOf(zip, 'address.deleted') === 0),
      )
      const known = new Set(saves.map(({ zip }) => zip))
      return {
        changes: saves.length,
        lost: lost.length,
        doubled: rows.filter(({ zip, count }) => count > 1 && known.has(zip)).length,
        // Every save must be answered in the end, and none with an error other than 503.
        untrue:
          saves.filter(({ isAdded }) => !isAdded).length +
          answers.filter(({ status }) => status >= 500 && status !== 503).length,
      }
    },
  }
}
