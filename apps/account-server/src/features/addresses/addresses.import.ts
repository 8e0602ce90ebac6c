import { createHash } from 'node:crypto'
import { maxAddresses } from '@atrium/contract/addresses.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, count, eq, inArray } from 'drizzle-orm'
import { excluded, importer, type Line, lastOfEach, noMember, refused, rowsOf } from '../../db/importer.ts'
import { members } from '../../db/members.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { isCountry } from '../profile/countries.rules.ts'
import { addresses } from './addresses.tables.ts'
import { statesOf } from './states.rules.ts'

type AddressRecord = Line<'address'>['record']

/** What lines are held against. */
interface Books {
  /** By e-mail, under lock: addresses are counted under it here, too. */
  owners: ReadonlyMap<string, Pick<typeof members.$inferSelect, 'id' | 'email' | 'firstName' | 'lastName'>>
  /** Ids of addresses that are there already. */
  known: ReadonlySet<string>
  /** Ids of those that their member changed or deleted since a file brought them. */
  taken: ReadonlySet<string>
  /** How many each member has, with those of this batch. */
  counts: Map<string, number>
}

/** Addresses of the vendor's systems. What a member changed or deleted here is theirs: lines about it change nothing. */
export const addressImporter = importer('address', async (tx, lines, context) => {
  const books = await openBooks(tx, lines)
  const rows = rowsOf(
    lastOfEach(lines, ({ record }) => `${record.email} ${record.addressId}`),
    context,
    (record) => addressRow(record, books),
  ).filter(({ id }) => !books.taken.has(id))
  if (rows.length === 0) return

  await tx
    .insert(addresses)
    .values(rows)
    .onConflictDoUpdate({
      target: addresses.id,
      set: excluded(addresses, [
        'country',
        'state',
        'city',
        'zip',
        'street',
        'firstName',
        'lastName',
        'contactEmail',
        'createdAt',
      ]),
    })
})

function addressRow(record: AddressRecord, { owners, known, taken, counts }: Books) {
  const { addressId, email, country, state, city, zip, address: street, created } = record
  const owner = owners.get(email)
  if (!owner) return noMember
  if (!isCountry(country)) return refused('country', 'is no country')
  const states = statesOf(country)
  if (states.length > 0 && !states.some(({ code }) => code === state)) {
    return refused('state', 'is no state of the country')
  }

  const id = idOf(owner.id, addressId)
  const isNew = !known.has(id) && !taken.has(id)
  const before = counts.get(owner.id) ?? 0
  if (isNew && before >= maxAddresses) return refused('email', `the member has ${maxAddresses} addresses already`)
  if (isNew) counts.set(owner.id, before + 1)
  return {
    ...{ id, memberId: owner.id, country, state: states.length > 0 ? state : '', city, zip, street },
    ...{ firstName: owner.firstName, lastName: owner.lastName, contactEmail: owner.email },
    // Whoever has addresses has a default among them.
    isDefault: isNew && before === 0,
    createdAt: new Date(created),
  }
}

async function openBooks(tx: Tx, lines: readonly Line<'address'>[]): Promise<Books> {
  const emails = new Set(lines.map(({ record }) => record.email))
  const owners = await tx
    .select({ id: members.id, email: members.email, firstName: members.firstName, lastName: members.lastName })
    .from(members)
    .where(and(inArray(members.email, [...emails]), eq(members.emailVerified, true)))
    .orderBy(members.id)
    .for('update')
  const byEmail = new Map(owners.map((owner) => [owner.email, owner]))

  const ids = lines.flatMap(({ record }) => {
    const owner = byEmail.get(record.email)
    return owner ? [idOf(owner.id, record.addressId)] : []
  })
  const ownerIds = owners.map(({ id }) => id)
  const known = await tx.select({ id: addresses.id }).from(addresses).where(inArray(addresses.id, ids))
  const counted = await tx
    .select({ memberId: addresses.memberId, addresses: count() })
    .from(addresses)
    .where(inArray(addresses.memberId, ownerIds))
    .groupBy(addresses.memberId)
  const acts = await tx
    .select({ target: activity.target })
    .from(activity)
    .where(
      and(
        inArray(activity.memberId, ownerIds),
        inArray(activity.action, ['address.updated', 'address.deleted']),
        inArray(activity.target, ids),
      ),
    )
  return {
    owners: byEmail,
    known: new Set(known.map(({ id }) => id)),
    taken: new Set(acts.map(({ target }) => target)),
    counts: new Map(counted.map(({ memberId, addresses: number }) => [memberId, number])),
  }
}

/** The id of an imported address, the same each time: a UUID (version 8) of its natural key. */
function idOf(memberId: string, addressId: string): string {
  const hex = createHash('sha256').update(`${memberId} ${addressId}`).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}
