import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { memberName } from '../../db/members.rules.ts'
import { members } from '../../db/members.tables.ts'
import { isErasedPerson } from '../../db/nobody.queries.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import { postalState } from '../addresses/states.rules.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import { isWhollyProven } from '../payments/customers/link-proofs.rules.ts'
import type { Buyer, orders } from './orders.tables.ts'

interface Recipient {
  /** How it is known whose the order is; undefined: not at all. */
  owner: Owner | undefined
  member:
    | Pick<typeof members.$inferSelect, 'id' | 'company' | 'email' | 'firstName' | 'lastName' | 'erasedAt'>
    | undefined
  /** Of the invoice: the order of the names depends on it. */
  locale: LocaleCode
}

/**
 * The recipient of an invoice as of now: as the provider has them, with the profile's company. If the provider has no address, since it
 * was imported or PayPal asks for none, it is the member's default one, with the name and email that stand there, or else in the profile:
 * who pays at PayPal may be somebody else. To an order of which only an address says whose it is, the profile adds nothing: whoever typed it
 * may turn out to be the buyer, and would read it. What is nobody's names no address: the one that was typed is of somebody who has said
 * that it is not theirs, or was erased.
 */
export async function buyerOf(
  db: Reader,
  billed: BilledInvoice['buyer'],
  { owner, member, locale }: Recipient,
): Promise<Buyer> {
  const known = { ...billed, company: '', email: member?.erasedAt ? '' : billed.email }
  if (!member || !owner || owner.memberId !== member.id || !isTheirs(owner)) return known
  const buyer = { ...known, company: member.company }
  if (billed.address.length > 0) return buyer
  const found = await defaultAddressOf(db, member)
  if (!found) return buyer
  const { street, city, zip, country, state, contactEmail } = found.address
  // A city may be a state, too.
  const place = [...new Set([city, postalState(country, state), zip])].filter(Boolean).join(', ')
  return {
    ...buyer,
    name: memberName(locale, found.address) || memberName(locale, member) || billed.name,
    email: contactEmail || member.email,
    address: [street, place].filter(Boolean),
    country,
  }
}

type Personal = Pick<typeof orders.$inferSelect, 'buyer' | 'payUrl' | 'lastDecline'>

/** What an order says about a person, as of now. Of one that is erased, nothing that the provider goes on to say comes back. */
export async function personalFacts(
  db: Reader,
  { buyer, payUrl, lastDecline }: BilledInvoice,
  { before, ...recipient }: Recipient & { before: Personal | undefined },
): Promise<Personal> {
  const { member } = recipient
  if (before && member && isErasedPerson(member))
    return { buyer: before.buyer && withoutPerson(before.buyer), payUrl: '', lastDecline: null }
  const stored = before?.lastDecline ?? null
  return {
    buyer: await buyerOf(db, buyer, recipient),
    payUrl,
    lastDecline: lastDecline === undefined ? stored : lastDecline,
  }
}

function withoutPerson({ country, isReverseCharge }: Buyer): Buyer {
  return {
    name: '',
    company: '',
    email: '',
    address: [],
    country,
    ...(isReverseCharge !== undefined && { isReverseCharge }),
  }
}

/** Who receives an order. */
export async function recipient(db: Reader, memberId: string) {
  const { id, locale, company, email, firstName, lastName, erasedAt } = members
  const [member] = await db
    .select({ id, locale, company, email, firstName, lastName, erasedAt })
    .from(members)
    .where(eq(id, memberId))
  return member
}

function isTheirs({ proof, isPartlyProven = false }: Owner): boolean {
  return isWhollyProven({ proof, isPartlyProven })
}
