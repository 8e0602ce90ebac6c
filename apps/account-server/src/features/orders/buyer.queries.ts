import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { memberName } from '../../db/members.rules.ts'
import { members } from '../../db/members.tables.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import { postalState } from '../addresses/states.rules.ts'
import type { Buyer } from './orders.tables.ts'

interface Recipient {
  member:
    | Pick<typeof members.$inferSelect, 'id' | 'company' | 'email' | 'firstName' | 'lastName' | 'erasedAt'>
    | undefined
  /** Of the invoice: the order of the names depends on it. */
  locale: LocaleCode
}

/**
 * The recipient of an invoice as of now: as the provider has them, with the profile's company. If the provider has no address, since it
 * was imported or PayPal asks for none, it is the member's default one, with the name and email that stand there, or else in the profile:
 * who pays at PayPal may be somebody else. What is nobody's names no address: the one that was typed is of somebody who has said that it is
 * not theirs, or was erased.
 */
export async function buyerOf(
  db: Reader,
  billed: BilledInvoice['buyer'],
  { member, locale }: Recipient,
): Promise<Buyer> {
  const buyer = { ...billed, company: member?.company ?? '', email: member?.erasedAt ? '' : billed.email }
  if (!member || billed.address.length > 0) return buyer
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

/** Who receives an order. */
export async function recipient(db: Reader, memberId: string) {
  const { id, locale, company, email, firstName, lastName, erasedAt } = members
  const [member] = await db
    .select({ id, locale, company, email, firstName, lastName, erasedAt })
    .from(members)
    .where(eq(id, memberId))
  return member
}
