import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { bigint, integer, text } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { sandbox } from './schema-name.ts'

/** Faults of requests. All but `rate_limit` happen after the effect. An `error` may be stored as the reply to its key. */
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
type FaultKind = RequestFault | (typeof eventFaults)[number]

/** A provider's planned faults, each until it has happened the given number of times. */
export function faultsTable(name: string) {
  return sandbox.table(name, {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text('kind').notNull(),
    /** Path, or event type; `*` matches anything. */
    pattern: text('pattern').notNull(),
    remaining: integer('remaining').notNull(),
    /** Of a delay. */
    milliseconds: integer('milliseconds').notNull().default(0),
  })
}

interface Fault<Kind> {
  kind: Kind
  milliseconds: number
}

interface NewFault {
  kind: FaultKind
  pattern: string
  /** How often. */
  times: number
  milliseconds: number
}

export interface Faults {
  /**
   * Takes the oldest fault planned for this path or event type, and decrements its count.
   * @param subject a path as the provider's patterns have it, or an event's type
   */
  take<Kind extends FaultKind>(db: Reader, kinds: readonly Kind[], subject: string): Promise<Fault<Kind> | undefined>
  plan(db: Db, fault: NewFault): Promise<void>
  planned(db: Db): Promise<z.output<typeof PlannedFault>[]>
  forget(db: Db): Promise<void>
}

/** The faults of one provider. Only this program plans them: while none is, no request looks for one. */
export function faultsIn(table: ReturnType<typeof faultsTable>): Faults {
  const without = new WeakSet<Reader>()
  return {
    async take(db, kinds, subject) {
      if (without.has(db)) return undefined
      const all = await db.select().from(table).orderBy(asc(table.id))
      if (all.length === 0) without.add(db)
      const planned = all.filter(({ kind }) => kinds.some((one) => one === kind))
      for (const { id, kind, pattern, milliseconds } of planned) {
        const wanted = kinds.find((one) => one === kind)
        if (!wanted || !matches(pattern, subject)) continue
        const [taken] = await db
          .update(table)
          .set({ remaining: sql`${table.remaining} - 1` })
          .where(and(eq(table.id, id), gt(table.remaining, 0)))
          .returning({ remaining: table.remaining })
        if (!taken) continue
        if (taken.remaining === 0) await db.delete(table).where(eq(table.id, id))
        return { kind: wanted, milliseconds }
      }
      return undefined
    },
    async plan(db, { times, ...fault }) {
      await db.insert(table).values({ ...fault, remaining: times })
      without.delete(db)
    },
    planned: (db) => db.select().from(table).orderBy(asc(table.id)),
    async forget(db) {
      await db.delete(table)
    },
  }
}

/** `*` matches anything; every other character matches itself. */
function matches(pattern: string, subject: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`).test(subject)
}
