import { asc, lte, sql } from 'drizzle-orm'
import { paypalObjects } from '../store/paypal.tables.ts'
import { find } from '../store/store.ts'
import { isOf } from '../store/stored.ts'
import { inCall, type PaypalDeps } from '../wire/call.ts'
import { billDue } from './billing.writes.ts'

/** What the provider does on its own as business time goes by. */
export interface Due {
  /** The earliest moment until `until` at which something is due. */
  nextDue(until: Date): Promise<Date | undefined>
  /** Performs everything that is due until a moment, in order, each at its own time. */
  perform(at: Date): Promise<void>
}

/** Any number: two performers must not overtake each other. */
const lock = 7_291_034

/** Renewals, retries and ends of subscriptions. */
export function subscriptionDue(deps: PaypalDeps): Due {
  const nextDue = async (until: Date) => {
    const [row] = await deps.db
      .select({ dueAt: paypalObjects.dueAt })
      .from(paypalObjects)
      .where(lte(paypalObjects.dueAt, until))
      .orderBy(asc(paypalObjects.dueAt), asc(paypalObjects.place))
      .limit(1)
    return row?.dueAt ?? undefined
  }

  return {
    nextDue,
    async perform(at) {
      for (let due = await nextDue(at); due; due = await nextDue(at)) {
        await performOne(deps, due)
        deps.onEvents()
      }
    },
  }
}

/** Performs one act that is due until a moment, at that moment. */
function performOne(deps: PaypalDeps, due: Date): Promise<void> {
  return inCall(
    deps,
    async (call) => {
      await call.tx.execute(sql`select pg_advisory_xact_lock(${lock})`)
      const [row] = await call.tx
        .select({ stored: paypalObjects.stored })
        .from(paypalObjects)
        .where(lte(paypalObjects.dueAt, due))
        .orderBy(asc(paypalObjects.dueAt), asc(paypalObjects.place))
        .limit(1)
        .for('update')
      if (!row || !isOf(row.stored, 'subscription')) return
      const subscription = row.stored.object
      const plan = await find(call.tx, 'plan', subscription.planId)
      if (plan) await billDue(call, { subscription, plan })
    },
    due,
  )
}
