import { type SQL, sql } from 'drizzle-orm'
import { licenseContacts, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import type { Person } from './personal-table.ts'

/** Ids of the licenses that the person holds, their subscriptions' too. */
export function heldLicenses({ memberId }: Person): SQL {
  return sql`(
    select c.license_id from ${licenseContacts} c where c.member_id = ${memberId}::uuid and c.relationship = 'Holder'
    union
    select l.id from ${licenses} l join ${subscriptions} s on s.id = l.subscription_id where s.member_id = ${memberId}::uuid)`
}

/** Of these, those that nobody else is related to: an erasure takes no device from a colleague. */
export function solelyHeldLicenses(person: Person): SQL {
  return sql`(
    select held.id from ${heldLicenses(person)} held(id)
    where not exists (
      select from ${licenseContacts} c where c.license_id = held.id and c.member_id <> ${person.memberId}::uuid))`
}

/** Ids of the person's seats, invitations that were never accepted included. */
export function seatsOfPerson({ memberId, email }: Person): SQL {
  return sql`(select t.id from ${seats} t where t.member_id = ${memberId}::uuid or t.email = ${email})`
}
