import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, lte, sql } from 'drizzle-orm'
import type { Due, DueSource } from '../../clock/due-source.ts'
import type { Deliveries } from '../../provider-kit/deliveries.ts'
import { type CallDeps, ownCall } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { dueOf, type SubscriptionDue } from '../store/due.rules.ts'
import { isOf, type Stored } from '../store/stored.ts'
import { performDue } from './perform.ts'

/** What the card provider does of its own accord: renewals, retries, ends. */
export function cardsDueSource(deps: CallDeps, deliveries: Deliveries): DueSource {
  return {
    name: 'Card provider',
    async nextDue(db, until) {
      const [next] = await dueUntil(db, Math.floor(until.getTime() / 1000), 1)
      return next
    },
    upcoming: (db, most) => dueUntil(db, Number.MAX_SAFE_INTEGER, most),
    async perform(tx, { id }, now) {
      await performDue(await ownCall(tx, deps, now), id)
    },
    delivered: () => deliveries.tried(),
  }
}

/** @param until epoch seconds */
async function dueUntil(db: Reader, until: number, most: number): Promise<Due[]> {
  const rows = await dueRows(db).execute({ until, most })
  return rows.map(({ id, dueAt, stored }) => ({
    id,
    at: new Date((dueAt ?? 0) * 1000),
    title: `${titleOf(stored)} ${id}`,
  }))
}

const dueRows = prepared('card_objects_due', (db, name) =>
  db
    .select({ id: cardObjects.id, dueAt: cardObjects.dueAt, stored: cardObjects.stored })
    .from(cardObjects)
    .where(lte(cardObjects.dueAt, sql.placeholder('until')))
    .orderBy(asc(cardObjects.dueAt), asc(cardObjects.place))
    .limit(sql.placeholder('most'))
    .prepare(name),
)

const titles: Readonly<Record<SubscriptionDue, string>> = {
  expire: 'Expire unpaid',
  expire_update: 'Expire the pending update of',
  cancel: 'End',
  enter_phase: 'Enter the next phase of',
  announce_trial_end: 'Announce the end of the trial of',
  end_trial: 'End the trial of',
  announce_renewal: 'Announce the renewal of',
  renew: 'Renew',
}

function titleOf(stored: Stored): string {
  if (isOf(stored, 'invoice')) return stored.object.status === 'draft' ? 'Finalize' : 'Retry'
  const [next] = isOf(stored, 'subscription') ? dueOf(stored) : []
  return next ? titles[next.what] : 'Look at'
}
