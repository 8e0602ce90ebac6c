import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, isNotNull, lte, type SQL } from 'drizzle-orm'
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
      const [next] = await dueRows(db, 1, lte(paypalObjects.dueAt, until))
      return next
    },
    upcoming: (db, most) => dueRows(db, most),
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

async function dueRows(db: Reader, most: number, condition?: SQL): Promise<Due[]> {
  const rows = await db
    .select({ id: paypalObjects.id, dueAt: paypalObjects.dueAt, stored: paypalObjects.stored })
    .from(paypalObjects)
    .where(and(isNotNull(paypalObjects.dueAt), condition))
    .orderBy(asc(paypalObjects.dueAt), asc(paypalObjects.place))
    .limit(most)
  return rows.flatMap(({ id, dueAt, stored }) => (dueAt ? [{ id, at: dueAt, title: `${titleOf(stored)} ${id}` }] : []))
}

function titleOf(stored: Stored): string {
  return isOf(stored, 'subscription') && stored.object.retry ? 'Retry' : 'Charge'
}
