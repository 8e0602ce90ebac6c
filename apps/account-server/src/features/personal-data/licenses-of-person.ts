import { type SQL, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { transfers } from '../transfers/transfers.tables.ts'
import type { Person } from './personal-table.ts'

/** Ids of the licenses that the person holds, their subscriptions' too: of another's subscription its Owner is the Holder, whomever a file names. */
export function heldLicenses({ memberId }: Person): SQL {
  return sql`(
    select c.license_id from ${licenseContacts} c
    where c.member_id = ${memberId}::uuid and c.relationship = 'Holder' and c.subscription_id is null
    union
    select l.id from ${licenses} l join ${subscriptions} s on s.id = l.subscription_id where s.member_id = ${memberId}::uuid)`
}

/** Of these, those that nobody else is related to: an erasure takes no device from a colleague. */
export function solelyHeldLicenses(person: Person): SQL {
  return sql`(
    select held.id from ${heldLicenses(person)} held(id)
    where not exists (
      select from ${licenseContacts} c join ${members} m on m.id = c.member_id
      where c.license_id = held.id and m.id <> ${person.memberId}::uuid and m.erased_at is null))`
}

/**
 * Ids of the devices that were activated in the person's account, on what is another's since; not a colleague's. One that still runs is
 * in use by whoever has it now, and stays. Who has typed a key is not known: of what they had by mistake, its Owner may have.
 */
export function endedDevicesOfTransferred({ memberId, email }: Person): SQL {
  // Found by the person's own rows: there are few of these, and many of everybody's devices.
  const activated = sql`(
    select a.target::uuid from ${activity} a
    where a.member_id = ${memberId}::uuid and a.action = 'device.activated'
      and coalesce(lower(a.details ->> 'email'), ${email}) = ${email})`
  const transferred = sql`(select unnest(t.subscription_ids) from ${transfers} t where t.member_id = ${memberId}::uuid)`
  return sql`(
    select d.id from ${emailDevices} d join ${subscriptions} s on s.id = d.subscription_id
    where d.deactivated_at is not null and s.member_id <> ${memberId}::uuid and d.id in ${activated}
    union
    select d.id from ${keyDevices} d
    join ${licenseKeys} k on k.id = d.key_id join ${licenses} l on l.id = k.license_id join ${subscriptions} s on s.id = l.subscription_id
    where d.deactivated_at is not null and s.member_id <> ${memberId}::uuid and s.id in ${transferred} and d.id in ${activated})`
}

/**
 * Ids of the devices that an erasure makes unknown: on the person's own seats, on licenses that nobody else has a part in, and what
 * has ended of what they have transferred.
 */
export function devicesOfPerson(person: Person): SQL {
  return sql`(
    select d.id::text from ${endedDevicesOfTransferred(person)} d
    union
    select d.id::text from ${emailDevices} d where d.seat_id in ${seatsOfPerson(person)}
    union
    select d.id::text from ${keyDevices} d join ${licenseKeys} k on k.id = d.key_id
    where k.license_id in ${solelyHeldLicenses(person)})`
}

/** Ids of the person's seats, invitations that were never accepted included. */
export function seatsOfPerson({ memberId, email }: Person): SQL {
  return sql`(select t.id from ${seats} t where t.member_id = ${memberId}::uuid or t.email = ${email})`
}
