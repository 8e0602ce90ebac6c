import { exitCodes } from '@atrium/server-kit/command.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { linkCustomerCommand } from '../commands/link-customer.ts'
import { addressSubject, signReference } from '../features/payments/customers/account-reference.rules.ts'
import { unmatchedPurchases } from '../features/payments/unmatched/unmatched.tables.ts'
import { hasAccess } from '../features/subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import type { newWorld, TestMember } from './world.ts'

/** What a provider's object may say about whose it is, beside what the vendor's operator has said of it. */
interface OwnerWords {
  /** Of the vendor's shop, or of whoever made it in a browser. */
  reference: string
  /** Typed by whoever paid. */
  email: string
  /** Written with the vendor's secret key. */
  memberId: string
}

interface ClaimedOwner extends OwnerWords {
  /** `proven`: it is the member's; `typed`: only an address says so; `nobody`: nobody's here. */
  is: 'proven' | 'typed' | 'nobody'
  /** What is said of it here: an operator has linked it, or its member has said that it is somebody else's. */
  said?: 'linked' | 'not mine'
}

const hourMs = 3_600_000

/** Each way to claim an object, whose the shop's secret is `SHOP_SIGNING_SECRET`. @param madeAt when the object was made */
export function claimedOwners(
  { id, email }: Pick<TestMember, 'id' | 'email'>,
  { secret, unverified, madeAt }: { secret: string; unverified: string; madeAt: Date },
) {
  const expiresAt = new Date(madeAt.getTime() + hourMs)
  const signed = (values: Partial<Parameters<typeof signReference>[1]> = {}) =>
    signReference(secret, { subject: id, expiresAt, ...values })
  const nothing = { reference: '', email: 'stranger@elsewhere.test', memberId: '' }
  return {
    signed: { ...nothing, is: 'proven', reference: signed() },
    'signed for an address': { ...nothing, is: 'proven', reference: signed({ subject: addressSubject(email) }) },
    linked: { ...nothing, is: 'proven', said: 'linked' },
    typed: { ...nothing, is: 'typed', email },
    'not mine': { ...nothing, is: 'nobody', email, said: 'not mine' },
    'signed too late': {
      ...nothing,
      is: 'nobody',
      reference: signed({ expiresAt: new Date(madeAt.getTime() - 1000) }),
    },
    'signed by somebody': {
      ...nothing,
      is: 'typed',
      email,
      reference: signReference(`${secret}!`, { subject: id, expiresAt }),
    },
    unverified: { ...nothing, is: 'nobody', email: unverified },
    nobody: { ...nothing, is: 'nobody' },
  } as const satisfies Record<string, ClaimedOwner>
}

/** `npm run members -- link-customer`. @returns whether it is the member's now */
export async function linkCustomer(
  { db, config, deps }: Pick<Awaited<ReturnType<typeof newWorld>>, 'db' | 'config' | 'deps'>,
  { email }: Pick<TestMember, 'email'>,
  objectId: string,
): Promise<boolean> {
  const run = linkCustomerCommand((_db, run) => run(deps.jobs)).prepare([email, objectId])
  return (await run?.(db, () => undefined, { ...config, now: deps.clock() })) === exitCodes.done
}

/** The end of what renews. */
export const forever = new Date('2100-01-01T00:00:00Z')

interface Granted {
  providerId: string
  /** Until when it is to be granted; undefined: not at all. */
  until: Date | undefined
  /** How many seats it has then. */
  seats: number
  now: Date
}

/** Moments at which a member has other seats than it is paid for: now, and around the end. */
export async function wronglyGranted(
  db: Reader,
  { id: memberId }: Pick<TestMember, 'id'>,
  { providerId, until, seats, now }: Granted,
): Promise<{ at: Date; found: number; expected: number }[]> {
  const around = until && until < forever ? [-hourMs, hourMs].map((ms) => new Date(until.getTime() + ms)) : []
  const moments = [now, ...around, new Date(now.getTime() + 40 * 24 * hourMs)].filter((at) => at >= now)
  const wrong = []
  for (const at of moments) {
    const [row] = await db
      .select({
        of: subscriptions.memberId,
        seats: subscriptions.userCount,
        isOpen: hasAccess({ now: at, pastDueDays: 21 }),
      })
      .from(subscriptions)
      .where(eq(subscriptions.providerId, providerId))
    const found = row?.isOpen && row.of === memberId ? row.seats : 0
    const expected = until && at < until ? seats : 0
    if (found !== expected) wrong.push({ at, found, expected })
  }
  return wrong
}

/** The provider's ids of what can be seen: by the member, or by the operator as what waits. */
export async function seenObjects(db: Reader) {
  const rows = await db.select({ id: subscriptions.providerId }).from(subscriptions)
  const waiting = await db.select({ id: unmatchedPurchases.objectId }).from(unmatchedPurchases)
  return { listed: new Set(rows.map(({ id }) => id)), waiting: new Set(waiting.map(({ id }) => id)) }
}
