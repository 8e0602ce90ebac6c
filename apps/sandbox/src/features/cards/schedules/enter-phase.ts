import { emitChange } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { type StoredSubscription, saveSubscription } from '../subscriptions/invoice-outcome.ts'
import { released, releaseSchedule, scheduleOf } from '../subscriptions/schedule-end.ts'
import { prorationBehavior } from '../subscriptions/subscriptions.parameters.ts'
import { updateSubscription } from '../subscriptions/update.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { endSetBy, itemsOfPhase, methodOfPhase, phaseFrom } from './schedules.rules.ts'

/** A phase has ended: the subscription becomes what the next one says, or is released after the last one. */
export async function enterPhase(call: Call, stored: StoredSubscription): Promise<void> {
  const schedule = await scheduleOf(call, stored.object)
  const next = schedule && phaseFrom(schedule.object, stored.hidden.phaseEnd ?? 0)
  if (!schedule || !next) {
    await saveSubscription(call, stored, released(stored, true))
    if (schedule) await releaseSchedule(call, schedule)
    return
  }
  const { start_date, end_date } = next
  const entered = { ...schedule.object, current_phase: { start_date, end_date } }
  await save(call.tx, { ...schedule, object: entered })
  await emitChange(call, 'subscription_schedule.updated', { before: schedule.object, after: entered })
  const end = endSetBy(entered, stored.object, epochSeconds(call.now))
  const begun = { ...stored, object: { ...stored.object, ...end } }
  await save(call.tx, { ...begun, hidden: { ...stored.hidden, phaseEnd: end_date } })
  await updateSubscription(call, stored.object.id, {
    items: itemsOfPhase(next, stored.object.items.data),
    proration_behavior: prorationBehavior.parse(next.proration_behavior),
    // Where the period ends as well, the renewal that follows charges it.
    proration_date: Math.min(epochSeconds(call.now), start_date),
    ...(next.metadata && { metadata: next.metadata }),
    default_payment_method: idOf(methodOfPhase(schedule.object, next)),
  })
}
