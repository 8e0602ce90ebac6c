import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { cardFaults } from '../store/cards.tables.ts'

/** Faults of requests. All but `rate_limit` happen after the effect. An `error` is stored as the reply to its key. */
export const requestFaults = ['delay', 'reset', 'error', 'rate_limit', 'html'] as const

/** Faults of webhook deliveries. */
export const eventFaults = ['drop', 'reorder', 'repeat'] as const

/** Faults to be injected. */
const Plan = z.object({
  kind: z.enum([...requestFaults, ...eventFaults]),
  /** Path below `/v1` (of PayPal: with its version), or type of an event; `*` stands for anything. */
  pattern: z.string().trim().min(1).max(200).default('*'),
  times: z.coerce.number().int().min(1).max(1000).default(1),
  /** Of a delay. */
  milliseconds: z.coerce.number().int().min(0).max(60_000).default(0),
})

/** Deliveries have a type of event, and requests a path: a fault of the one never meets a pattern of the other. */
export const FaultPlan = Plan.refine(
  ({ kind, pattern }) => pattern.startsWith('*') || pattern.startsWith('/') !== eventFaults.some((one) => one === kind),
  { path: ['pattern'], message: 'no request or event of this kind is named like this' },
)

export const PlannedFault = Plan.extend({ kind: z.string(), id: z.int(), remaining: z.int() }).omit({ times: true })

export type RequestFault = (typeof requestFaults)[number]
type EventFault = (typeof eventFaults)[number]
type FaultKind = RequestFault | EventFault

interface Fault<Kind> {
  kind: Kind
  milliseconds: number
}

/**
 * Takes the oldest fault planned for this path or event type, and decrements its count.
 * @param subject path below `/v1` (`/setup_intents/seti_1/confirm`), or an event's type
 */
export async function takeFault<Kind extends FaultKind>(
  db: Reader,
  kinds: readonly Kind[],
  subject: string,
): Promise<Fault<Kind> | undefined> {
  const planned = await db
    .select()
    .from(cardFaults)
    .where(inArray(cardFaults.kind, [...kinds]))
    .orderBy(asc(cardFaults.id))
  for (const { id, kind, pattern, milliseconds } of planned) {
    const wanted = kinds.find((one) => one === kind)
    if (!wanted || !matches(pattern, subject)) continue
    const taken = await db
      .update(cardFaults)
      .set({ remaining: sql`${cardFaults.remaining} - 1` })
      .where(sql`${eq(cardFaults.id, id)} and ${gt(cardFaults.remaining, 0)}`)
      .returning({ remaining: cardFaults.remaining })
    if (taken.length === 0) continue
    if (taken[0]?.remaining === 0) await db.delete(cardFaults).where(eq(cardFaults.id, id))
    return { kind: wanted, milliseconds }
  }
  return undefined
}

interface Plan {
  kind: FaultKind
  pattern: string
  /** How often. */
  times: number
  milliseconds: number
}

export async function planFault(db: Db, { times, ...plan }: Plan): Promise<void> {
  await db.insert(cardFaults).values({ ...plan, remaining: times })
}

export function plannedFaults(db: Db) {
  return db.select().from(cardFaults).orderBy(asc(cardFaults.id))
}

export async function forgetFaults(db: Db): Promise<void> {
  await db.delete(cardFaults)
}

/** `*` matches anything; every other character matches itself. */
function matches(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(subject)
}
