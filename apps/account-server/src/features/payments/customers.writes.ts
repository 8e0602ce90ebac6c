import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { tellDefault } from '../addresses/addresses.writes.ts'
import { providerCustomers } from './payments.tables.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'cards' | 'jobs'>

/** A key of the provider’s is good for a day; a customer that was not heard of for longer is looked up first. */
const keyMilliseconds = 20 * 3_600_000

/**
 * The member’s customer at the card provider, made on first need. Outside of any transaction: a row, the call, the row
 * again. Two at once, or one after a crash, repeat the same call and get the same customer.
 */
export async function providerCustomer({ db, clock, cards, jobs }: Needs, member: Member): Promise<string> {
  await db
    .insert(providerCustomers)
    .values({ memberId: member.id, email: member.email, idempotencyKey: randomUUID(), createdAt: clock() })
    .onConflictDoNothing()
  const [row] = await db.select().from(providerCustomers).where(eq(providerCustomers.memberId, member.id))
  if (!row) throw new Error('the customer was not stored')
  if (row.customerId) return row.customerId

  const { memberId, email, idempotencyKey: key } = row
  const isOld = clock().getTime() - row.createdAt.getTime() > keyMilliseconds
  const found = isOld ? await cards.customerOf({ memberId, email }) : undefined
  const customerId = found ?? (await cards.createCustomer({ memberId, email, key }))
  await db.transaction(async (tx) => {
    await tx
      .update(providerCustomers)
      .set({ customerId })
      .where(and(eq(providerCustomers.memberId, member.id), isNull(providerCustomers.customerId)))
    // It is to have the billing address that the member has by now.
    await tellDefault(jobs, tx, member)
  })
  return customerId
}

/** The provider no longer has this customer (the vendor deleted it there): the next need makes another. */
export async function forgetCustomer({ db }: Pick<Deps, 'db'>, customerId: string): Promise<void> {
  await db.delete(providerCustomers).where(eq(providerCustomers.customerId, customerId))
}

/** Longer than two calls of the provider can take. */
const turnSeconds = 60

/** How long somebody waits for their turn. */
const patience = 5000

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
  const givenUp = Date.now() + patience
  while (!(await takeTurn(db, memberId, turn))) {
    if (Date.now() > givenUp) throw new Problem('overloaded')
    await pause(50)
  }
  try {
    return await change()
  } finally {
    await db
      .update(providerCustomers)
      .set({ changing: null, changingUntil: null })
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.changing, turn)))
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
