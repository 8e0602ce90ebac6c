import { randomUUID } from 'node:crypto'
import { eventFaults } from '../../provider-kit/faults.ts'
import { faults } from '../store/faults.ts'
import { paypalDeliveries } from '../store/paypal.tables.ts'
import { list, save } from '../store/store.ts'
import type { Event, Webhook } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'

/** How long a reordered event is delayed, so that later ones arrive before it, in milliseconds. */
const heldBackMs = 3000

/** PayPal's limit for an app. */
export const mostWebhooks = 10

interface NewEvent {
  type: string
  resourceType: string
  resourceVersion: string
  /** One sentence for people. */
  summary: string
  resource: object
}

/** Stores an event and its deliveries, in the transaction of the change. */
export async function emitEvent(call: Call, given: NewEvent): Promise<void> {
  const event: Event = { id: newId.event(), createdAt: call.now.toISOString(), ...given }
  await save(call.tx, { kind: 'event', object: event })
  const { objects } = await list(call.tx, { kind: 'webhook', page: 1, pageSize: mostWebhooks, isNewestFirst: false })
  const webhooks = objects.filter(({ eventTypes }) => eventTypes.includes('*') || eventTypes.includes(event.type))
  if (webhooks.length > 0) await planDeliveries(call, event, webhooks)
}

async function planDeliveries(call: Call, event: Event, webhooks: readonly Webhook[]): Promise<void> {
  const fault = await faults.take(call.tx, eventFaults, event.type)
  const isDropped = fault?.kind === 'drop'
  const due = new Date(Date.now() + (fault?.kind === 'reorder' ? heldBackMs : 0))
  const planned = webhooks.map(({ id }) => ({
    eventId: event.id,
    webhookId: id,
    transmissionId: randomUUID(),
    nextAt: isDropped ? null : due,
    outcome: isDropped ? 'dropped' : 'waiting',
  }))
  await call.tx.insert(paypalDeliveries).values(fault?.kind === 'repeat' ? [...planned, ...planned] : planned)
}
