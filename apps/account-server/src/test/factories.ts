import { randomUUID } from 'node:crypto'
import { activateDevice } from '@atrium/contract/activation.ts'
import { sql } from 'drizzle-orm'
import { identities } from '../db/members.tables.ts'
import { products } from '../features/catalog/catalog.tables.ts'
import { emailDevices, keyDevices } from '../features/devices/devices.tables.ts'
import { type licenseContacts, licenseKeys, licenses } from '../features/licenses/licenses.tables.ts'
import { licensesOfContacts, writeContacts } from '../features/licenses/licenses.writes.ts'
import { seats } from '../features/subscriptions/seats.tables.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import type { CasAnswer } from '../outside/cas-xml.ts'
import type { newWorld, TestMember } from './world.ts'

type World = Pick<Awaited<ReturnType<typeof newWorld>>, 'db' | 'deps'>
type SigningIn = Awaited<ReturnType<typeof newWorld>>

function the<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('insert answered no row')
  return row
}

/** A product with its own code and tab. */
export async function newProduct({ db }: World, values: Partial<typeof products.$inferInsert> = {}) {
  const code = `P${randomUUID().slice(0, 8)}`
  const usual = {
    code,
    name: `Product ${code}`,
    sku: `sku-${code}`,
    position: 0,
    prices: [],
    cap: { cap: 999, scope: 'subscription' as const },
    flags: [],
    upgrades: [],
    downloads: [],
    integrations: [],
  }
  return the(
    await db
      .insert(products)
      .values({ ...usual, ...values })
      .returning(),
  )
}

/** A member's yearly subscription, with the Owner's seat. */
export async function newSubscription(
  world: World,
  owner: TestMember,
  values: Partial<typeof subscriptions.$inferInsert> = {},
) {
  const now = world.deps.clock()
  const row = the(
    await world.db
      .insert(subscriptions)
      .values({
        id: `sub-${randomUUID().slice(0, 12)}`,
        memberId: owner.id,
        productCode: values.productCode ?? (await newProduct(world)).code,
        status: 'active',
        userCount: 3,
        origin: 'online',
        channel: 'card',
        autoRenew: true,
        periodStart: now,
        periodEnd: new Date(now.getTime() + 365 * 86_400_000),
        orgCode: 'ORG',
        createdAt: now,
        ...values,
      })
      .returning(),
  )
  const ownerSeat = await newSeat(world, row.id, { email: owner.email, memberId: owner.id, type: 2 })
  return { ...row, ownerSeat }
}

export async function newSeat(world: World, subscriptionId: string, values: Partial<typeof seats.$inferInsert> = {}) {
  const usual = {
    subscriptionId,
    email: `${randomUUID()}@example.test`,
    type: 0 as const,
    status: 'Accepted' as const,
    isUse: true,
    invitedAt: world.deps.clock(),
  }
  return the(
    await world.db
      .insert(seats)
      .values({ ...usual, ...values })
      .returning(),
  )
}

/** A perpetual license with three seats, activated with a key, or the license of `subscriptionId`. */
export async function newLicense(world: World, values: Partial<typeof licenses.$inferInsert> = {}) {
  const own = values.subscriptionId
    ? {}
    : { productCode: values.productCode ?? (await newProduct(world)).code, seats: values.seats ?? 3 }
  return the(
    await world.db
      .insert(licenses)
      .values({
        id: `L-${randomUUID().slice(0, 12)}`,
        version: '13.1',
        edition: 'Standard',
        language: 'English',
        platform: 'Windows',
        createdAt: world.deps.clock(),
        activationMethod: 'keycode',
        acLiceId: '',
        ...own,
        ...values,
      })
      .returning(),
  )
}

export async function newContact(
  { db }: World,
  licenseId: string,
  member: Pick<TestMember, 'id'>,
  values: Partial<typeof licenseContacts.$inferInsert> = {},
) {
  const usual = { memberId: member.id, relationship: 'Holder' as const, userRole: '' as const }
  await db.transaction(async (tx) => {
    const license = (await licensesOfContacts(tx, [licenseId])).get(licenseId)
    if (!license) throw new Error('no license')
    await writeContacts(tx, [{ ...license, ...usual, ...values }])
  })
}

export async function newKey({ db }: World, licenseId: string, values: Partial<typeof licenseKeys.$inferInsert> = {}) {
  const key = `65410-0010${randomUUID().replaceAll('-', '').slice(0, 14).toUpperCase()}`
  return the(
    await db
      .insert(licenseKeys)
      .values({ licenseId, key, ...values })
      .returning(),
  )
}

/** An active device on a key. */
export async function newKeyDevice(world: World, keyId: string, values: Partial<typeof keyDevices.$inferInsert> = {}) {
  const usual = {
    keyId,
    macAddress: newMac(),
    pcName: 'STUDIO-PC',
    appVersion: '13.1.0',
    requestedAt: world.deps.clock(),
  }
  return the(
    await world.db
      .insert(keyDevices)
      .values({ ...usual, ...values })
      .returning(),
  )
}

/** An active device on a seat. */
export async function newEmailDevice(
  world: World,
  seatId: string,
  values: Partial<typeof emailDevices.$inferInsert> = {},
) {
  const usual = {
    seatId,
    subscriptionId: sql<string>`(select subscription_id from ${seats} where id = ${seatId})`,
    hostName: 'ADA-THINKPAD',
    mac: newMac(),
    appName: 'Folio PDF Editor+',
    appVersion: '14.0.1',
    updatedAt: world.deps.clock(),
  }
  return the(
    await world.db
      .insert(emailDevices)
      .values({ ...usual, ...values })
      .returning(),
  )
}

export function newMac(): string {
  return (randomUUID().replaceAll('-', '').slice(0, 12).toUpperCase().match(/../g) ?? []).join(':')
}

/** A license with one key, for a member as Holder. */
export async function heldKey(
  world: World,
  holder: Pick<TestMember, 'id'>,
  values: { license?: Partial<typeof licenses.$inferInsert>; key?: Partial<typeof licenseKeys.$inferInsert> } = {},
) {
  const license = await newLicense(world, values.license)
  await newContact(world, license.id, holder)
  return { license, key: await newKey(world, license.id, values.key) }
}

/** Where the browser delivers a device's ticket. */
export const deviceService = 'http://127.0.0.1:53123/signed-in'

/** A member with a seat in another member's subscription, and a function that activates devices on it by signing in. */
export async function seatWithSignIn(world: SigningIn) {
  const [owner, person] = [await world.member(), await world.member()]
  const product = await newProduct(world)
  const subscription = await newSubscription(world, owner, { productCode: product.code })
  const seat = await newSeat(world, subscription.id, { memberId: person.id, email: person.email })
  return { owner, person, product, subscription, seat, signIn: await deviceSignIn(world, person, product.code) }
}

/** A function that activates devices for a member by signing in. */
export async function deviceSignIn(world: SigningIn, { id }: Pick<TestMember, 'id'>, appCode: string) {
  await world.db.insert(identities).values({ provider: 'cas', subject: id, memberId: id, createdAt: new Date() })
  let number = 0
  return (values: object = {}, principal: CasAnswer = { user: id, attributes: {} }) => {
    number += 1
    const ticket = `ST-${id}-${number}`
    world.tickets.set(ticket, principal)
    const body = {
      method: 'email',
      ticket,
      service: deviceService,
      appCode,
      hostName: 'ADA-THINKPAD',
      mac: newMac(),
      appName: 'Folio PDF Editor+',
      appVersion: '14.0.1',
      ...values,
    } as const
    return world.device(activateDevice, { body })
  }
}
