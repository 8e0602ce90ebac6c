import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { eventFaults } from '../../provider-kit/faults.ts'
import type { Call } from '../requests/call.ts'
import { cardDeliveries, cardObjects } from '../store/cards.tables.ts'
import { faults } from '../store/faults.ts'
import { save } from '../store/store.ts'
import { isOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'

/** The API version of every object, whatever version a caller requests. */
export const apiVersion = '2026-10-28.endive'

/** How long a reordered event is delayed, so that later ones arrive before it, in milliseconds. */
const heldBack = 3000

interface NewEvent {
  type: Stripe.EventBase['type']
  /** The object after the change. */
  object: object
  /** For a change: the previous values of the changed fields. */
  before?: object
}

/** Stores an event and its deliveries, in the transaction of the change. */
export async function emitEvent(call: Call, { type, object, before }: NewEvent): Promise<void> {
  const endpoints = await endpointsFor(call.tx, type)
  const event: Stripe.EventBase = {
    id: newId('evt_'),
    object: 'event',
    api_version: apiVersion,
    created: epochSeconds(call.now),
    data: { object, ...(before && { previous_attributes: before }) },
    livemode: false,
    pending_webhooks: endpoints.length,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  }
  await save(call.tx, { kind: 'event', object: event, hidden: null })
  if (endpoints.length > 0) await planDeliveries(call, event, endpoints)
}

async function planDeliveries(call: Call, event: Stripe.EventBase, endpoints: readonly StoredOf<'webhook_endpoint'>[]) {
  const fault = await faults.take(call.tx, eventFaults, event.type)
  const isDropped = fault?.kind === 'drop'
  const due = new Date(call.realNow.getTime() + (fault?.kind === 'reorder' ? heldBack : 0))
  const planned = endpoints.map(({ object }) => ({
    eventId: event.id,
    endpointId: object.id,
    nextAt: isDropped ? null : due,
    outcome: isDropped ? 'dropped' : 'waiting',
  }))
  await call.tx.insert(cardDeliveries).values(fault?.kind === 'repeat' ? [...planned, ...planned] : planned)
}

/** Each transaction reads them once: most have several events, and none has one of an endpoint. */
const read = new WeakMap<Tx, StoredOf<'webhook_endpoint'>[]>()

async function endpointsFor(tx: Tx, type: string): Promise<StoredOf<'webhook_endpoint'>[]> {
  const endpoints = read.get(tx) ?? (await enabledEndpoints(tx))
  read.set(tx, endpoints)
  return endpoints.filter(({ object: { enabled_events: wanted } }) => wanted.includes('*') || wanted.includes(type))
}

async function enabledEndpoints(tx: Tx): Promise<StoredOf<'webhook_endpoint'>[]> {
  const rows = await tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, 'webhook_endpoint'), eq(cardObjects.isDeleted, false)))
  return rows.flatMap(({ stored }) =>
    isOf(stored, 'webhook_endpoint') && stored.object.status === 'enabled' ? [stored] : [],
  )
}

/**
 * The previous values of changed fields, null for a field that did not exist. Of a nested object, only the fields that
 * differ.
 */
export function previousOf(before: object, after: object): object {
  const was = new Map<string, unknown>(Object.entries(before))
  const is = new Map<string, unknown>(Object.entries(after))
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return Object.fromEntries(
    names
      .filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)))
      .map((name) => [name, previousValue(was.get(name), is.get(name))]),
  )
}

function previousValue(before: unknown, after: unknown): unknown {
  return hasFields(before) && hasFields(after) ? previousOf(before, after) : (before ?? null)
}

function hasFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Stores the event of a change if it changed anything. @returns whether it did */
export async function emitChange(
  call: Call,
  type: Stripe.EventBase['type'],
  { before, after }: { before: object; after: object },
): Promise<boolean> {
  const changed = previousOf(before, after)
  if (Object.keys(changed).length === 0) return false
  await emitEvent(call, { type, object: after, before: changed })
  return true
}
