import * as contract from '@atrium/contract/addresses.ts'
import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Db, Reader, Tx } from '@atrium/server-kit/database.ts'
import type { IdempotencyKey } from '@atrium/server-kit/idempotency-key.ts'
import { Problem, problemWithData, refusedField } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import { claimKey } from '../../db/idempotency-keys.writes.ts'
import { lockCaller, memberRow } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { countryList, isCountry } from '../profile/countries.rules.ts'
import { addressesOf } from './addresses.queries.ts'
import { addresses } from './addresses.tables.ts'
import { enqueueAddressSync } from './addresses.writes.ts'
import { stateName, statesOf } from './states.rules.ts'

type Needs = Pick<Deps, 'config' | 'db' | 'clock' | 'jobs'>
type FormQuery = EndpointInput<typeof contract.readAddressForm>['query']

/** The member's addresses in wire form. */
export async function addressList(db: Reader, member: Member): Promise<{ list: contract.BillingAddress[] }> {
  return { list: (await addressesOf(db, member)).map(addressFrom) }
}

/** The content of the dialog: country names, and the states of the requested country or the profile's. */
export async function addressForm(db: Db, member: Member, { lang, country }: FormQuery) {
  const chosen = country ?? (await memberRow(db, member))?.countryCode ?? ''
  return { country: chosen, countryList: countryList(lang), stateList: [...statesOf(chosen)] }
}

interface Addition {
  edit: contract.AddressEdit
  idempotencyKey: IdempotencyKey | undefined
}

/**
 * At most ten; the first becomes the default. Counted under the member's lock, so that concurrent requests cannot exceed the
 * limit.
 */
export function addAddress(deps: Needs, member: Member, { edit, idempotencyKey }: Addition) {
  const { db, clock } = deps
  const facts = factsOf(edit)
  return db.transaction(async (tx) => {
    const profile = await lockedProfile(tx, member)
    const now = clock()
    if (!(await claimKey(tx, member, { idempotencyKey, now })).isNew) return addressList(tx, member)
    const known = await addressesOf(tx, member)
    if (known.length >= contract.maxAddresses) {
      throw problemWithData(contract.addAddress, 'address_limit', await addressList(tx, member))
    }

    const isDefault = known.length === 0 || edit.isDefaultAddress === 1
    if (isDefault) await clearDefault(tx, member)
    const [added] = await tx
      .insert(addresses)
      .values({ ...facts, ...profile, memberId: member.id, isDefault, createdAt: now })
      .returning({ id: addresses.id })
    await record(tx, member, {
      action: 'address.added',
      target: added?.id ?? '',
      details: { after: facts, isDefault },
      now,
    })
    if (isDefault) await syncDefault(deps, tx, member)
    return addressList(tx, member)
  })
}

/** Replaces the whole record. A new default clears the previous one; the default stays until another one is set. */
export function updateAddress(deps: Needs, member: Member, id: string, edit: contract.AddressEdit) {
  const { db, clock } = deps
  return db.transaction(async (tx) => {
    const profile = await lockedProfile(tx, member)
    const before = await ownAddress(tx, member, id)
    const facts = factsOf(edit, before)
    const isDefault = edit.isDefaultAddress === 1
    if (before.isDefault && !isDefault) {
      throw problemWithData(contract.updateAddress, 'default_required', await addressList(tx, member))
    }

    if (isDefault && !before.isDefault) await clearDefault(tx, member)
    await tx
      .update(addresses)
      .set({ ...facts, ...profile, isDefault })
      .where(eq(addresses.id, id))
    const { country, state, city, zip, street } = before
    const details = {
      before: { country, state, city, zip, street, isDefault: before.isDefault },
      after: facts,
      isDefault,
    }
    await record(tx, member, { action: 'address.updated', target: id, details, now: clock() })
    if (isDefault) await syncDefault(deps, tx, member)
    return addressList(tx, member)
  })
}

/** The provider's customer has the default address too. */
async function syncDefault({ config, jobs }: Needs, tx: Tx, member: Member): Promise<void> {
  if (config.CARD_PROVIDER !== 'none') await enqueueAddressSync(jobs, tx, member)
}

export function deleteAddress({ db, clock }: Pick<Needs, 'db' | 'clock'>, member: Member, id: string) {
  return db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const before = await ownAddress(tx, member, id)
    if (before.isDefault) {
      throw problemWithData(contract.deleteAddress, 'default_required', await addressList(tx, member))
    }

    await tx.delete(addresses).where(eq(addresses.id, id))
    const { country, state, city, zip, street } = before
    const details = { before: { country, state, city, zip, street } }
    await record(tx, member, { action: 'address.deleted', target: id, details, now: clock() })
    return addressList(tx, member)
  })
}

type BillingRow = Awaited<ReturnType<typeof addressesOf>>[number]

/**
 * An imported address without a state may stay without one, so that it can be made the default unchanged.
 * @throws Problem `invalid`: the state is missing, or the country has none
 */
function factsOf(edit: contract.AddressEdit, before?: Pick<BillingRow, 'country' | 'state'>) {
  const { orderBillCountry: country, orderBillState: state, orderBillCity: city, orderBillZip: zip } = edit
  if (!isCountry(country)) throw refusedField('orderBillCountry', 'country_required')
  const states = statesOf(country)
  const isAsBefore = before?.country === country && before.state === state
  if (states.length > 0 && !isAsBefore && !states.some(({ code }) => code === state)) {
    throw refusedField('orderBillState', 'state_required')
  }
  return { country, state: states.length > 0 ? state : '', city, zip, street: edit.orderBillAddress }
}

/** Names and contact from the profile (000 §5), under its lock. */
async function lockedProfile(tx: Tx, member: Member) {
  const { firstName, lastName, email: contactEmail } = await lockCaller(tx, member)
  return { firstName, lastName, contactEmail }
}

async function ownAddress(tx: Tx, member: Member, id: string) {
  const [address] = await tx
    .select()
    .from(addresses)
    .where(and(eq(addresses.id, id), eq(addresses.memberId, member.id)))
  if (!address) throw new Problem('not_found')
  return address
}

async function clearDefault(tx: Tx, member: Member): Promise<void> {
  await tx
    .update(addresses)
    .set({ isDefault: false })
    .where(and(eq(addresses.memberId, member.id), eq(addresses.isDefault, true)))
}

function addressFrom(row: BillingRow): contract.BillingAddress {
  return {
    id: row.id,
    orderBillCountry: row.country,
    orderBillState: row.state,
    orderBillStateName: stateName(row.country, row.state),
    orderBillCity: row.city,
    orderBillZip: row.zip,
    orderBillAddress: row.street,
    orderBillFirstName: row.firstName,
    orderBillLastName: row.lastName,
    orderBillContactEmail: row.contactEmail,
    company: row.company,
    isDefaultAddress: row.isDefault ? 1 : 0,
  }
}
