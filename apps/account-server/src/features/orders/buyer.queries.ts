import type { Reader } from '@atrium/server-kit/database.ts'
import type { members } from '../../db/members.tables.ts'
import type { BilledInvoice } from '../../outside/billed-invoice.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import type { Buyer } from './orders.tables.ts'

/**
 * The recipient of an invoice as of now: as the provider has them, with the profile's company. An address that the provider does not
 * have, since it was imported or PayPal asks for none, is the member's default one.
 */
export async function buyerOf(
  db: Reader,
  billed: BilledInvoice['buyer'],
  member: Pick<typeof members.$inferSelect, 'id' | 'company'> | undefined,
): Promise<Buyer> {
  const buyer = { ...billed, company: member?.company ?? '' }
  if (!member || billed.address.length > 0) return buyer
  const found = await defaultAddressOf(db, member)
  if (!found) return buyer
  const { street, city, state, zip, country } = found.address
  return { ...buyer, address: [street, [city, state, zip].filter(Boolean).join(', ')].filter(Boolean), country }
}
