import { createHash } from 'node:crypto'
import { maxAddresses } from '@atrium/contract/addresses.ts'
import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, count, eq, inArray } from 'drizzle-orm'
import { uuidFrom } from '../../db/derived-uuid.ts'
import { importer, type Line, noMember, refused, rowsOf } from '../../db/importer.ts'
import { members } from '../../db/members.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { isCountry } from '../profile/countries.rules.ts'
import { addresses } from './addresses.tables.ts'
import { statesOf } from './states.rules.ts'

type AddressRecord = Line<'address'>['record']

/** What the lines are checked against. */
interface Lookups {
  /** By email. Their rows are locked, because addresses are counted under that lock. */
  owners: ReadonlyMap<string, Pick<typeof members.$inferSelect, 'id' | 'email' | 'firstName' | 'lastName'>>
  /** Ids of addresses that exist. */
  known: ReadonlySet<string>
  /** Ids of imported addresses that their member has changed or deleted. */
  changedByMember: ReadonlySet<string>
  /** How many addresses each member has, including those of this batch. */
  counts: Map<string, number>
}

/** Imports addresses. One that its member has changed or deleted here is left alone, unless the line says `overwrite`. */
export const addressImporter = importer('address', async (tx, lines, context) => {
  const lookups = await loadLookups(tx, lines)
  const rows = rowsOf(lines, context, (record) => addressRow(record, lookups))
    .filter(({ overwrite, row }) => overwrite || !lookups.changedByMember.has(row.id))
    .map(({ row }) => row)
  for (const line of lines.filter(({ record }) => hasUselessState(record))) {
    context.warn(line, 'state', `is left out: there is no list of states of ${line.record.country}`)
  }
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

function addressRow(record: AddressRecord, { owners, known, changedByMember, counts }: Lookups) {
  const { addressId, email, country, state, city, zip, address: street, created, overwrite } = record
  const owner = owners.get(email)
  if (!owner) return noMember
  if (!isCountry(country)) return refused('country', 'is not a country code of ISO 3166-1')
  const states = statesOf(country)
  // An empty state is accepted: the vendor's system may not have asked for one, and the next edit here requires it.
  if (state !== '' && states.length > 0 && !states.some(({ code }) => code === state)) {
    const written = state.toLowerCase()
    const named = states.find(({ code, name }) =>
      [code, `${country}-${code}`, name].some((meant) => meant.toLowerCase() === written),
    )
    return refused('state', `is not a state code of ${country}${named ? `; did you mean ${named.code}?` : ''}`)
  }

  const id = idOf(owner.id, addressId)
  const isNew = !known.has(id) && (overwrite || !changedByMember.has(id))
  const before = counts.get(owner.id) ?? 0
  if (isNew && before >= maxAddresses) return refused('email', `the member has ${maxAddresses} addresses already`)
  if (isNew) counts.set(owner.id, before + 1)
  const row = {
    ...{ id, memberId: owner.id, country, state: states.length > 0 ? state : '', city, zip, street },
    ...{ firstName: owner.firstName, lastName: owner.lastName, contactEmail: owner.email },
    // A member with addresses always has a default one.
    isDefault: isNew && before === 0,
    createdAt: new Date(created),
  }
  return { overwrite, row }
}

function hasUselessState({ country, state }: AddressRecord): boolean {
  return state !== '' && isCountry(country) && statesOf(country).length === 0
}

async function loadLookups(tx: Tx, lines: readonly Line<'address'>[]): Promise<Lookups> {
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
  const changes = await tx
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
    changedByMember: new Set(changes.map(({ target }) => target)),
    counts: new Map(counted.map(({ memberId, addresses: number }) => [memberId, number])),
  }
}

/** The id of an imported address, derived from its natural key. */
function idOf(memberId: string, addressId: string): string {
  return uuidFrom(createHash('sha256').update(`${memberId} ${addressId}`).digest('hex'))
}
