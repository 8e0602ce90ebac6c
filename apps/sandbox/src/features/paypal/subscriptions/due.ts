import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, eq, sql } from 'drizzle-orm'
import type { Due, DueSource } from '../../clock/due-source.ts'
import type { Deliveries } from '../../provider-kit/deliveries.ts'
import { billedPlan } from '../plans/plan-override.ts'
import { paypalObjects } from '../store/paypal.tables.ts'
import { isOf, type Stored } from '../store/stored.ts'
import type { PaypalDeps } from '../wire/call.ts'
import { billDue } from './billing.writes.ts'

/** What PayPal does of its own accord: renewals, retries and ends of subscriptions. */
export function paypalDueSource({ publicUrl }: Pick<PaypalDeps, 'publicUrl'>, deliveries: Deliveries): DueSource {
  return {
    name: 'PayPal',
    async nextDue(db, until) {
      const [next] = await dueUntil(db, until.toISOString(), 1)
      return next
    },
    upcoming: (db, most) => dueUntil(db, 'infinity', most),
    async perform(tx, { id }, now) {
      const [row] = await tx
        .select({ stored: paypalObjects.stored, dueAt: paypalObjects.dueAt })
        .from(paypalObjects)
        .where(eq(paypalObjects.id, id))
        .for('update')
      if (!row?.dueAt || row.dueAt > now || !isOf(row.stored, 'subscription')) return
      const subscription = row.stored.object
      const plan = await billedPlan(tx, subscription)
      if (plan) await billDue({ tx, now, publicUrl }, { subscription, plan })
    },
    delivered: () => deliveries.tried(),
  }
}

/** @param until ISO 8601, or `infinity` */
async function dueUntil(db: Reader, until: string, most: number): Promise<Due[]> {
  const rows = await dueRows(db).execute({ until, most })
  return rows.flatMap(({ id, dueAt, stored }) => (dueAt ? [{ id, at: dueAt, title: `${titleOf(stored)} ${id}` }] : []))
}

const dueRows = prepared('paypal_objects_due', (db, name) =>
  db
    .select({ id: paypalObjects.id, dueAt: paypalObjects.dueAt, stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(sql`${paypalObjects.dueAt} <= ${sql.placeholder('until')}`)
    .orderBy(asc(paypalObjects.dueAt), asc(paypalObjects.place))
    .limit(sql.placeholder('most'))
    .prepare(name),
)

function titleOf(stored: Stored): string {
  return isOf(stored, 'subscription') && stored.object.retry ? 'Retry' : 'Charge'
}
