import { type SQL, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../../db/idempotency-keys.tables.ts'
import { identities, members } from '../../db/members.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { addresses } from '../addresses/addresses.tables.ts'
import { archives } from '../archives/archives.tables.ts'
import { cloudAccounts } from '../cloud/cloud.tables.ts'
import { events } from '../events/events.tables.ts'
import { quotes } from '../quotes/quotes.tables.ts'
import { sessions } from '../session/session.tables.ts'
import { supportSessions } from '../support-sessions/support-sessions.tables.ts'
import { devicesOfPerson, endedDevicesOfTransferred } from './licenses-of-person.ts'
import {
  containsAddress,
  isMember,
  type Person,
  personalTable,
  placeholder,
  withoutAddress,
  withoutDevice,
} from './personal-table.ts'

/** Subjects at the single sign-on, which may be addresses; the identities are deleted after the activity. */
function subjectsOf(person: Person): SQL {
  return sql`(select i.subject from ${identities} i where i.member_id = ${person.memberId}::uuid)`
}

function namesPerson(person: Person): SQL {
  const { target, action, memberId } = activity
  return sql`(lower(${target}) = ${person.email} or ${target} in ${subjectsOf(person)}
    or ${isMember(memberId, person)} and ${action} in ('identity.joined', 'identity.linked'))`
}

/** A device of theirs, whose seat or key is another's account. An earlier version did not record whose a device that was released is. */
function isTheirDevice(person: Person): SQL {
  const { action, details, target } = activity
  const isUnnamed = sql`${details} ->> 'email' is null and ${target} in ${devicesOfPerson(person)}`
  // The new Owner's address stands beside what was theirs, and was released since.
  const isTransferred = sql`${target} in (select d.id::text from ${endedDevicesOfTransferred(person)} d(id))`
  const isTheirs = sql`(lower(${details} ->> 'email') = ${person.email} or ${isUnnamed} or ${isTransferred})`
  return sql`(${action} like 'device.%' and ${isTheirs})`
}

/** What is about the account itself. */
export const accountTables = [
  personalTable(activity, {
    noun: 'activity',
    rows: (person) =>
      sql`(${isMember(activity.memberId, person)} or ${activity.actor} = ${person.memberId}::text
        or ${namesPerson(person)} or ${containsAddress(activity.details, person)} or ${isTheirDevice(person)})`,
    exported: (person) =>
      sql`(${isMember(activity.memberId, person)} and ${activity.actorKind} in ('member', 'system', 'vendor', 'provider'))`,
    // What colleagues and support did here has their addresses; what the person did in a colleague's account is about that team.
    priceOf: activity.target,
    withheld: ['id', 'actor', 'requestId'],
    erase: {
      set: (person) => ({
        target: sql`case when ${namesPerson(person)} then '' else ${activity.target} end`,
        details: sql`case when ${isMember(activity.memberId, person)} then '{}'::jsonb
          when ${isTheirDevice(person)} then ${withoutDevice(withoutAddress(activity.details, person))}
          else ${withoutAddress(activity.details, person)} end`,
        address: sql`case when ${isMember(activity.memberId, person)} or ${activity.actor} = ${person.memberId}::text
          or ${activity.actorKind} = 'system' and ${isTheirDevice(person)} then null else ${activity.address} end`,
      }),
      keep: { 'an id, or the name of a program': ['actor', 'requestId'], 'a name of ours': ['action'] },
    },
  }),
  personalTable(addresses, {
    noun: 'addresses',
    rows: (person) => isMember(addresses.memberId, person),
    erase: 'delete',
  }),
  personalTable(archives, {
    noun: 'archives',
    rows: (person) => isMember(archives.memberId, person),
    erase: 'delete',
  }),
  personalTable(cloudAccounts, {
    noun: 'cloud',
    rows: (person) => isMember(cloudAccounts.memberId, person),
    erase: 'delete',
  }),
  personalTable(quotes, {
    noun: 'quotes',
    rows: (person) => isMember(quotes.memberId, person),
    erase: {
      set: () => ({ company: '', message: '' }),
      keep: { 'what was asked for, and for which market: sales count it': ['productCode', 'term', 'country'] },
    },
  }),
  personalTable(idempotencyKeys, {
    noun: 'requests',
    // Whom others have invited stands in what their requests were answered.
    rows: (person) =>
      sql`(${isMember(idempotencyKeys.memberId, person)} or ${containsAddress(idempotencyKeys.answer, person)})`,
    exported: (person) => isMember(idempotencyKeys.memberId, person),
    withheld: ['fingerprint', 'key'],
    // A request is still not executed twice.
    erase: {
      set: (person) => ({
        answer: sql`case when ${isMember(idempotencyKeys.memberId, person)} then null
          else ${withoutAddress(idempotencyKeys.answer, person)} end`,
      }),
      keep: { 'random, or a hash, and deleted after IDEMPOTENCY_KEY_DAYS': ['fingerprint', 'key'] },
    },
  }),
  personalTable(sessions, {
    noun: 'sessions',
    rows: (person) => isMember(sessions.memberId, person),
    withheld: ['tokenHash', 'ticketHash'],
    erase: 'delete',
  }),
  personalTable(supportSessions, {
    noun: 'supportSessions',
    rows: (person) => isMember(supportSessions.memberId, person),
    withheld: ['tokenHash', 'ticketHash', 'agentSubject'],
    erase: 'delete',
  }),
  personalTable(events, {
    noun: 'events',
    rows: (person) =>
      sql`(${containsAddress(events.data, person)} or ${events.data} ->> 'deviceId' in ${devicesOfPerson(person)})`,
    // Of a device that they have transferred, what the new Owner does with it is theirs.
    exported: (person) => containsAddress(events.data, person),
    erase: {
      set: (person) => ({ data: withoutDevice(withoutAddress(events.data, person)) }),
      keep: { 'a name of ours': ['type'] },
    },
  }),
  personalTable(identities, {
    noun: 'identities',
    rows: (person) => isMember(identities.memberId, person),
    erase: 'delete',
  }),
  personalTable(members, {
    noun: 'profile',
    rows: (person) => isMember(members.id, person),
    erase: {
      set: ({ now }) => ({
        email: placeholder(members.id),
        emailVerified: false,
        firstName: '',
        lastName: '',
        phone: '',
        company: '',
        countryCode: '',
        editedFields: [],
        supportAccessUntil: null,
        erasedAt: now,
      }),
      keep: { 'the language of invoices': ['locale'] },
    },
  }),
]
