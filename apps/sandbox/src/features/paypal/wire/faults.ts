import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import type { eventFaults, RequestFault, requestFaults } from '../../cards/wire/faults.ts'
import { paypalFaults } from '../store/paypal.tables.ts'

/** The same as at the card provider: all but `rate_limit` happen after the effect. */
export type FaultKind = RequestFault | (typeof eventFaults)[number]

interface Fault<Kind> {
  kind: Kind
  milliseconds: number
}

/**
 * Takes the oldest fault planned for this path or event type, and decrements its count.
 * @param subject path (`/v2/checkout/orders/…/capture`), or an event's type
 */
export async function takeFault<Kind extends FaultKind>(
  db: Reader,
  kinds: readonly Kind[],
  subject: string,
): Promise<Fault<Kind> | undefined> {
  const planned = await db
    .select()
    .from(paypalFaults)
    .where(inArray(paypalFaults.kind, [...kinds]))
    .orderBy(asc(paypalFaults.id))
  for (const { id, kind, pattern, milliseconds } of planned) {
    const wanted = kinds.find((one) => one === kind)
    if (!wanted || !matches(pattern, subject)) continue
    const [taken] = await db
      .update(paypalFaults)
      .set({ remaining: sql`${paypalFaults.remaining} - 1` })
      .where(and(eq(paypalFaults.id, id), gt(paypalFaults.remaining, 0)))
      .returning({ remaining: paypalFaults.remaining })
    if (!taken) continue
    if (taken.remaining === 0) await db.delete(paypalFaults).where(eq(paypalFaults.id, id))
    return { kind: wanted, milliseconds }
  }
  return undefined
}

interface Plan {
  kind: (typeof requestFaults)[number] | (typeof eventFaults)[number]
  pattern: string
  /** How often. */
  times: number
  milliseconds: number
}

export async function planFault(db: Db, { times, ...plan }: Plan): Promise<void> {
  await db.insert(paypalFaults).values({ ...plan, remaining: times })
}

export function plannedFaults(db: Db) {
  return db.select().from(paypalFaults).orderBy(asc(paypalFaults.id))
}

export async function forgetFaults(db: Db): Promise<void> {
  await db.delete(paypalFaults)
}

/** `*` matches anything; every other character matches itself. */
function matches(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(subject)
}
