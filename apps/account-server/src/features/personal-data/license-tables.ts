import { seatTypes } from '@atrium/contract/seat-types.ts'
import { sql } from 'drizzle-orm'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { invitations } from '../team/invitations/invitations.tables.ts'
import { endedDevicesOfTransferred, heldLicenses, seatsOfPerson, solelyHeldLicenses } from './licenses-of-person.ts'
import { isMember, type Person, personalTable, placeholder } from './personal-table.ts'

const record = 'a record of what was licensed'

const ofKeys = (licenseIds: ReturnType<typeof heldLicenses>) =>
  sql`${keyDevices.keyId} in (select k.id from ${licenseKeys} k where k.license_id in ${licenseIds})`

/** A device whose name and MAC address are erased cannot be recognized any more: it is deactivated. The key stays valid. */
const erasedMac = (id: typeof keyDevices.id | typeof emailDevices.id) => sql`'erased-' || ${id}`

/** Licenses and devices, and the teams that the person is in. Seats come last: the others are found by them. */
export const licenseTables = [
  personalTable(keyDevices, {
    noun: 'keyDevices',
    rows: (person) =>
      sql`(${ofKeys(solelyHeldLicenses(person))} or ${keyDevices.id} in ${endedDevicesOfTransferred(person)})`,
    exported: (person) => ofKeys(heldLicenses(person)),
    withheld: ['tokenHash'],
    erase: {
      set: ({ now }) => ({
        pcName: '',
        macAddress: erasedMac(keyDevices.id),
        tokenHash: null,
        deactivatedAt: sql`coalesce(${keyDevices.deactivatedAt}, ${now.toISOString()}::timestamptz)`,
        deactivatedBy: sql`coalesce(${keyDevices.deactivatedBy}, 'vendor')`,
      }),
      keep: { [record]: ['appVersion'] },
    },
  }),
  personalTable(emailDevices, {
    noun: 'emailDevices',
    rows: (person) =>
      sql`(${emailDevices.seatId} in ${seatsOfPerson(person)} or ${emailDevices.id} in ${endedDevicesOfTransferred(person)})`,
    exported: (person) => sql`${emailDevices.seatId} in ${seatsOfPerson(person)}`,
    withheld: ['tokenHash'],
    erase: {
      set: ({ now }) => ({
        hostName: '',
        mac: erasedMac(emailDevices.id),
        tokenHash: null,
        deactivatedAt: sql`coalesce(${emailDevices.deactivatedAt}, ${now.toISOString()}::timestamptz)`,
      }),
      keep: { [record]: ['subscriptionId', 'appName', 'appVersion'] },
    },
  }),
  personalTable(invitations, {
    noun: 'invitations',
    rows: ({ memberId, email }) =>
      sql`(${invitations.email} = ${email} or ${invitations.seatId} in ${seatsOfPerson({ memberId, email, now: new Date(0) })})`,
    withheld: ['tokenHash', 'invitedBy'],
    erase: {
      set: () => ({
        email: placeholder(invitations.id),
        ended: sql`coalesce(${invitations.ended}, 'withdrawn')`,
      }),
      keep: { 'the hash of a random token, void by now': ['tokenHash'], 'an id': ['subscriptionId'] },
    },
  }),
  personalTable(seats, {
    noun: 'seats',
    rows: (person: Person) => sql`(${isMember(seats.memberId, person)} or ${seats.email} = ${person.email})`,
    erase: {
      set: ({ now }) => ({
        email: placeholder(seats.id),
        // A subscription always has its Owner's seat.
        removedAt: sql`case when ${seats.type} = ${seatTypes.owner} then ${seats.removedAt}
          else coalesce(${seats.removedAt}, ${now.toISOString()}::timestamptz) end`,
      }),
      keep: { 'an id': ['subscriptionId'], [record]: ['importedAs'] },
    },
  }),
  personalTable(licenseContacts, {
    noun: 'licenseContacts',
    rows: (person) => isMember(licenseContacts.memberId, person),
    erase: { keep: { [record]: ['licenseId', 'subscriptionId', 'productCode'] } },
  }),
  personalTable(licenseKeys, {
    noun: 'licenseKeys',
    rows: (person) => sql`${licenseKeys.licenseId} in ${heldLicenses(person)}`,
    masked: ['key'],
    erase: { keep: { [record]: ['licenseId', 'key'] } },
  }),
  personalTable(licenses, {
    noun: 'licenses',
    rows: (person) =>
      sql`(${licenses.id} in ${heldLicenses(person)} or ${licenses.id} in
        (select c.license_id from ${licenseContacts} c where c.member_id = ${person.memberId}::uuid))`,
    erase: {
      keep: {
        [record]: ['id', 'subscriptionId', 'productCode', 'version', 'edition', 'language', 'platform', 'acLiceId'],
      },
    },
  }),
]
