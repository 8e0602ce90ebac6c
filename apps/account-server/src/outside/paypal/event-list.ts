import { z } from 'zod'
import { isEvent, type ProviderEvent } from '../provider-event.ts'
import type { CallPaypal } from './client.ts'
import { eventFrom } from './events.ts'

/** The longest list that PayPal gives. */
const pageSize = 300

/** A busier second than this is not read whole. */
const shortestMs = 1000

const Listed = z.object({ events: z.array(z.unknown()).default([]) })

interface Period {
  from: Date
  to: Date
}

/** Events that PayPal has stored, for a month. */
export function eventListCalls(call: CallPaypal) {
  /** What happened in a time, whether or not a webhook told it. */
  async function eventsBetween({ from, to }: Period): Promise<ProviderEvent[]> {
    const query = { start_time: from.toISOString(), end_time: to.toISOString(), page_size: String(pageSize) }
    const { events } = await call({ method: 'GET', path: '/v1/notifications/webhooks-events', query }, Listed)
    if (events.length < pageSize || to.getTime() - from.getTime() <= shortestMs) {
      return events.map(eventFrom).filter(isEvent)
    }
    // Halves instead of pages, whose addresses the list does not promise.
    const middle = new Date((from.getTime() + to.getTime()) / 2)
    return [...(await eventsBetween({ from, to: middle })), ...(await eventsBetween({ from: middle, to }))]
  }
  return { eventsBetween }
}
