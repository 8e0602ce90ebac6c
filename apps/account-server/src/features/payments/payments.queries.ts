import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { addressPrint } from '../addresses/addresses.queries.ts'
import { addresses } from '../addresses/addresses.tables.ts'
import { paymentAttempts, providerCustomers } from './payments.tables.ts'

/** The provider’s id of a member; nothing until one was needed. */
export async function customerIdOf(db: Reader, member: Pick<Member, 'id'>): Promise<string | undefined> {
  const [row] = await customerOfMember(db).execute({ memberId: member.id })
  return row?.customerId ?? undefined
}

const customerOfMember = prepared('provider_customer_of_member', (db, name) =>
  db
    .select({ customerId: providerCustomers.customerId })
    .from(providerCustomers)
    .where(eq(providerCustomers.memberId, sql.placeholder('memberId')))
    .prepare(name),
)

/**
 * The next customers by member id, and whether their default address is another one than the provider was told last.
 * @param last of the page before
 */
export function customersAfter(db: Reader, last: string | undefined, limit: number) {
  return db
    .select({
      id: providerCustomers.memberId,
      isUntold: sql<boolean>`${addresses.id} is not null
        and ${providerCustomers.addressPrint} is distinct from ${addressPrint}`,
    })
    .from(providerCustomers)
    .leftJoin(addresses, and(eq(addresses.memberId, providerCustomers.memberId), addresses.isDefault))
    .where(
      and(
        isNotNull(providerCustomers.customerId),
        last === undefined ? undefined : gt(providerCustomers.memberId, last),
      ),
    )
    .orderBy(asc(providerCustomers.memberId))
    .limit(limit)
}

/** A member’s attempts of one purpose since a moment, and the unsettled ones of any age; the newest first. */
export function attemptsSince(db: Reader, member: Pick<Member, 'id'>, purpose: string, since: Date) {
  return db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.memberId, member.id),
        eq(paymentAttempts.purpose, purpose),
        or(gt(paymentAttempts.createdAt, since), isNull(paymentAttempts.settledAt)),
      ),
    )
    .orderBy(desc(paymentAttempts.createdAt))
}

export async function attemptOfIntent(db: Reader, intentId: string) {
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.intentId, intentId))
  return attempt
}

export async function attemptOf(db: Reader, id: string) {
  const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.id, id))
  return attempt
}

export async function attemptOfRequest(db: Reader, member: Pick<Member, 'id'>, key: string) {
  const [attempt] = await db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.memberId, member.id), eq(paymentAttempts.requestKey, key)))
  return attempt
}

/** What nobody has settled and the reconciler is to look at by now, who waits longest first. */
export function attemptsToLookAt(db: Reader, now: Date, limit: number) {
  return db
    .select()
    .from(paymentAttempts)
    .where(and(isNull(paymentAttempts.settledAt), lt(paymentAttempts.lookAt, now)))
    .orderBy(asc(paymentAttempts.lookAt))
    .limit(limit)
}

/** A member's attempts of these purposes of which nobody knows yet what came of them. */
export function unsettledOf(db: Reader, member: Pick<Member, 'id'>, purposes: readonly string[]) {
  return db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        eq(paymentAttempts.memberId, member.id),
        inArray(paymentAttempts.purpose, [...purposes]),
        isNull(paymentAttempts.settledAt),
      ),
    )
    .orderBy(asc(paymentAttempts.createdAt))
}
