import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import { tellDefault } from '../addresses/addresses.writes.ts'
import { providerCustomers } from './payments.tables.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'jobs'>

/**
 * The member’s customer at the card provider, made on first need. Outside of any transaction: a row, the call, the row
 * again. Two at once, or one after a crash, repeat the same call and get the same customer.
 */
export async function providerCustomer(deps: Needs, member: Member): Promise<string> {
  const { db, clock, jobs } = deps
  await db
    .insert(providerCustomers)
    .values({ memberId: member.id, email: member.email, idempotencyKey: randomUUID(), createdAt: clock() })
    .onConflictDoNothing()
  const [row] = await db.select().from(providerCustomers).where(eq(providerCustomers.memberId, member.id))
  if (!row) throw new Error('the customer was not stored')
  if (row.customerId) return row.customerId

  const customerId = await madeCustomer(deps, row)
  return db.transaction(async (tx) => {
    // Somebody else may have been faster: whoever it is, there is one.
    const [stored] = await tx
      .update(providerCustomers)
      .set({ customerId: sql`coalesce(${providerCustomers.customerId}, ${customerId})` })
      .where(eq(providerCustomers.memberId, member.id))
      .returning({ customerId: providerCustomers.customerId })
    // It is to have the billing address that the member has by now.
    await tellDefault(jobs, tx, member)
    return stored?.customerId ?? customerId
  })
}

/** A key of the provider’s is good for a day; a customer that was not heard of for longer is looked up first. */
const keyMilliseconds = 20 * 3_600_000

type Wanted = typeof providerCustomers.$inferSelect

async function madeCustomer({ db, clock, cards }: Needs, wanted: Wanted): Promise<string> {
  const { memberId, email, idempotencyKey: key } = wanted
  const isOld = clock().getTime() - wanted.createdAt.getTime() > keyMilliseconds
  const found = isOld ? await cards.customerOf({ memberId, email }) : undefined
  if (found !== undefined) return found
  try {
    return await cards.createCustomer({ memberId, email, key })
  } catch (error) {
    if (!(error instanceof CardFailure && error.isKept)) throw error
    // This key has its answer for a day. Whether the customer was made is seen; if not, the next try is another one.
    const made = await cards.customerOf({ memberId, email })
    if (made !== undefined) return made
    await db
      .update(providerCustomers)
      .set({ idempotencyKey: randomUUID() })
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.idempotencyKey, key)))
    throw error
  }
}

/**
 * The provider does not know the customer. Where the vendor deleted it there, the next need makes another; where our key
 * is of another account, nobody’s customer is forgotten, and somebody is told.
 * @returns whether it was deleted
 */
export async function forgetDeletedCustomer(
  { db, cards, logger }: Pick<Deps, 'db' | 'cards' | 'logger'>,
  customerId: string,
): Promise<boolean> {
  try {
    if (!(await cards.isCustomerDeleted(customerId))) return false
  } catch (error) {
    if (!(error instanceof CardFailure)) throw error
    logger.error(
      { err: error, customerId },
      'the card provider does not know this customer: is the key of another account?',
    )
    return false
  }
  await db.delete(providerCustomers).where(eq(providerCustomers.customerId, customerId))
  return true
}

/** Longer than two calls of the provider can take. */
const turnSeconds = 60

/** How long somebody waits for their turn, and how many may wait for one member's. */
const patience = 5000
const mostWaiting = 5
const waiting = new Map<string, number>()

/**
 * One change of a member’s cards at a time: what is decided by the provider’s list must still hold when the change is
 * made, and no transaction is held over a call. A turn that was never given back ends by itself.
 * @throws Problem `overloaded` after five seconds of waiting
 */
export async function inTurn<Answer>(
  { db }: Pick<Deps, 'db'>,
  memberId: string,
  change: () => Promise<Answer>,
): Promise<Answer> {
  const turn = randomUUID()
  await waitForTurn(db, memberId, turn)
  try {
    return await change()
  } finally {
    await db
      .update(providerCustomers)
      .set({ changing: null, changingUntil: null })
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.changing, turn)))
  }
}

async function waitForTurn(db: Deps['db'], memberId: string, turn: string): Promise<void> {
  const others = waiting.get(memberId) ?? 0
  if (others >= mostWaiting) throw new Problem('overloaded', { retryAfter: 5 })
  waiting.set(memberId, others + 1)
  try {
    const givenUp = Date.now() + patience
    while (!(await takeTurn(db, memberId, turn))) {
      if (Date.now() > givenUp) throw new Problem('overloaded', { retryAfter: 5 })
      await pause(100)
    }
  } finally {
    const left = (waiting.get(memberId) ?? 1) - 1
    if (left > 0) waiting.set(memberId, left)
    else waiting.delete(memberId)
  }
}

async function takeTurn(db: Deps['db'], memberId: string, turn: string): Promise<boolean> {
  const until = sql`now() + make_interval(secs => ${turnSeconds})`
  const taken = await db
    .update(providerCustomers)
    .set({ changing: turn, changingUntil: until })
    .where(
      and(
        eq(providerCustomers.memberId, memberId),
        or(isNull(providerCustomers.changing), lt(providerCustomers.changingUntil, sql`now()`)),
      ),
    )
    .returning({ memberId: providerCustomers.memberId })
  return taken.length > 0
}
