import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import { emailHash, members } from '../../../db/members.tables.ts'
import type { ObjectClaim } from '../../../outside/billed-invoice.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { addressSubjectsOf, type ReferredMember, readReference } from './account-reference.rules.ts'
import type { LinkProof } from './link-proofs.rules.ts'

/** What a provider's object says about whose it is. */
export interface Claim extends ObjectClaim {
  /** Typed by whoever paid; lower case, empty: none. */
  email: string
  /** What was bought says so, and not its customer. */
  isOfPurchase?: boolean
}

export interface ClaimRules {
  /** `SHOP_SIGNING_SECRET` */
  secrets: readonly string[]
  /** The operator's word: the vendor's shop has confirmed each address of what was made before. */
  confirmedUntil?: Date | undefined
}

export interface Owner {
  memberId: string
  proof: LinkProof
  /** Whether its customer is the member's for that alone. */
  isPartlyProven?: boolean | undefined
}

/**
 * Whose each object is, and how that is known: what the vendor's key or shop has written counts more than an address, also where it names
 * somebody who has no account yet, or was erased. The list omits nobody: `undefined` for an object that is nobody's here.
 */
export async function ownersOf(
  db: Reader,
  claims: readonly Claim[],
  { secrets, confirmedUntil }: ClaimRules,
): Promise<(Owner | undefined)[]> {
  const referred = claims.map(({ reference, createdAt: madeAt }) => readReference(reference, { secrets, madeAt }))
  const byEmail = await memberIdsByEmail(db, claims.map(({ email }) => email).filter(Boolean))
  const named = claims.map(({ memberId }) => memberId)
  const signed = referred.flatMap((found) => (found && 'memberId' in found ? [found.memberId] : []))
  const known = await knownMembers(db, [...named, ...signed])
  const byHash = await memberIdsByHash(db, referred)

  return claims.map(({ memberId, email, createdAt, isMadeByVendor = false, isOfPurchase }, place) => {
    const isPartlyProven = isOfPurchase
    if (known.here.has(memberId)) return { memberId, proof: 'ours', isPartlyProven }
    const signer = referred[place]
    const signerId = referredId(signer, { ...known, byHash })
    if (signerId) return { memberId: signerId, proof: 'signed', isPartlyProven }
    if (isOfNobody(signer, known) || known.erased.has(memberId)) return undefined
    const typed = byEmail.get(email)
    if (!typed) return undefined
    const isConfirmed = isMadeByVendor || (confirmedUntil !== undefined && createdAt < confirmedUntil)
    return isConfirmed ? { memberId: typed, proof: 'vendor', isPartlyProven } : { memberId: typed, proof: 'address' }
  })
}

/** The addresses by which somebody may find later what a customer, who is nobody here, has bought. @returns as `addressSubject` */
export async function subjectsOfBought(
  { cards, secrets }: { cards: Pick<CardProvider, 'readCustomer'>; secrets: readonly string[] },
  { customerId, claim }: { customerId: string; claim?: ObjectClaim | undefined },
): Promise<string[]> {
  const customer = customerId === '' ? undefined : await ifKnown(cards.readCustomer(customerId))
  const claims = [customer, claim && { ...claim, email: '' }].filter((one) => one !== undefined)
  return addressSubjectsOf(claims, { secrets })
}

interface Known {
  here: ReadonlySet<string>
  erased: ReadonlySet<string>
}

function referredId(
  referred: ReferredMember | undefined,
  { here, byHash }: Pick<Known, 'here'> & { byHash: ReadonlyMap<string, string> },
): string | undefined {
  if (!referred) return undefined
  if ('emailHash' in referred) return byHash.get(referred.emailHash.toString('hex'))
  return here.has(referred.memberId) ? referred.memberId : undefined
}

/** The shop has signed for an address without an account, or for somebody who was erased. */
function isOfNobody(referred: ReferredMember | undefined, { erased }: Known): boolean {
  return referred !== undefined && ('emailHash' in referred || erased.has(referred.memberId))
}

/** Which of them are members here, and which were erased. An earlier installation had other ids. */
async function knownMembers(db: Reader, ids: readonly string[]): Promise<Known> {
  const wanted = [...new Set(ids)].filter((id) => z.uuid().safeParse(id).success)
  const { id, erasedAt } = members
  const rows = wanted.length > 0 ? await db.select({ id, erasedAt }).from(members).where(inArray(id, wanted)) : []
  const [here, erased] = [rows.filter((row) => !row.erasedAt), rows.filter((row) => row.erasedAt)]
  return { here: new Set(here.map((row) => row.id)), erased: new Set(erased.map((row) => row.id)) }
}

/** Members by the hash of their verified address, in hexadecimal. */
async function memberIdsByHash(
  db: Reader,
  referred: readonly (ReferredMember | undefined)[],
): Promise<Map<string, string>> {
  const hashes = referred.flatMap((found) => (found && 'emailHash' in found ? [found.emailHash] : []))
  if (hashes.length === 0) return new Map()
  const hash = emailHash(members.email)
  const rows = await db
    .select({ id: members.id, hash: sql<string>`encode(${hash}, 'hex')` })
    .from(members)
    .where(and(inArray(hash, hashes), eq(members.emailVerified, true)))
  return new Map(rows.map((row) => [row.hash, row.id]))
}
