import { type HitKind, hitGroups, mostHits, type SearchHit } from '@atrium/contract/search.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, descending, prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { products } from '../catalog/catalog.tables.ts'
import { deviceSearch, isFound } from '../devices/device-search.rules.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { visibleDevices } from '../devices/email-devices.queries.ts'
import { heldLicenses } from '../devices/found-keys.queries.ts'
import { licensesOfMember } from '../licenses/license-list.queries.ts'
import { productCode } from '../licenses/licenses.queries.ts'
import { licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { offlineOrders, orders } from '../orders/orders.tables.ts'
import { ownSeatType } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { isOfMember } from '../subscriptions/subscription-list.queries.ts'
import type { AccessAt } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

interface Asked {
  member: Member
  keyWord: string
  access: AccessAt
}

/** What one statement finds in all lists of a member: the newest of each group. */
export async function hitsOf(db: Reader, { member, keyWord, access }: Asked) {
  // Who types `ada thinkpad` may mean ADA-THINKPAD.
  const pattern = containing(keyWord).replaceAll(/\s+/g, '%')
  const isSupport = member.isSupport ?? false
  const rows = await found(db).execute({ isSupport, memberId: member.id, ...access, ...deviceSearch(keyWord), pattern })
  const hits = rows.map(({ date, ...hit }) => ({ ...hit, date: date.toISOString() }))
  const newest = (kinds: readonly HitKind[]): SearchHit[] =>
    hits
      .filter(({ kind }) => kinds.includes(kind))
      .toSorted((one, other) => other.date.localeCompare(one.date))
      .slice(0, mostHits)
  const { orders, subscriptions, licenses, devices, users } = hitGroups
  return {
    orders: newest(orders),
    subscriptions: newest(subscriptions),
    licenses: newest(licenses),
    devices: newest(devices),
    users: newest(users),
  }
}

const memberId = sql.placeholder('memberId')

/** The database lowercases both sides, so that they agree. */
function contains(text: SQLWrapper): SQL {
  return sql`lower(${text}) like lower(${sql.placeholder('pattern')})`
}

interface Columns {
  kind: SQLWrapper
  id: SQLWrapper
  name: SQLWrapper
  place?: SQLWrapper
  date: SQLWrapper
}

function hit({ kind, id, name, place = sql`''`, date }: Columns) {
  return {
    kind: sql<HitKind>`${kind}`.as('kind'),
    id: sql<string>`${id}::text`.as('id'),
    name: sql<string>`${name}`.as('name'),
    place: sql<string>`${place}::text`.as('place'),
    date: sql<Date>`${date}`.mapWith(orders.date).as('date'),
  }
}

function ordersFound(db: Reader) {
  const { orderNumber, lines, date, searched } = orders
  const facts = sql`${lines} -> 0 -> 'facts'`
  // As `line.once` is written in every language: the text names a time, in the order's language.
  const bought = sql`nullif(${facts} ->> 'product', '') || ' × ' || (${facts} ->> 'quantity')`
  const name = sql`coalesce(${bought}, ${lines} -> 0 ->> 'text', '')`
  return db
    .select(hit({ kind: sql`'order'`, id: orderNumber, name, date }))
    .from(orders)
    .where(and(eq(orders.memberId, memberId), contains(searched)))
    .orderBy(descending(date))
    .limit(mostHits)
}

function offlineOrdersFound(db: Reader) {
  const { orderNumber, lines, date } = offlineOrders
  const name = sql`coalesce(${lines}[1], '')`
  return db
    .select(hit({ kind: sql`'offline_order'`, id: orderNumber, name, date }))
    .from(offlineOrders)
    .where(
      and(
        eq(offlineOrders.memberId, memberId),
        or(contains(orderNumber), contains(sql`array_to_string(${lines}, chr(10))`)),
      ),
    )
    .orderBy(descending(date))
    .limit(mostHits)
}

function subscriptionsFound(db: Reader) {
  const { id, createdAt, origin } = subscriptions
  const kind = sql`case when ${origin} = 'offline' then 'offline_subscription' else 'subscription' end`
  return db
    .select(hit({ kind, id, name: products.name, date: createdAt }))
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(and(isOfMember(db), contains(sql`${id} || chr(10) || ${products.name}`)))
    .orderBy(descending(createdAt))
    .limit(mostHits)
}

function licensesFound(db: Reader) {
  const mine = licensesOfMember(db)
  const { licenseId, createdAt } = mine
  return db
    .with(mine)
    .select(hit({ kind: sql`'license'`, id: licenseId, name: products.name, place: products.sku, date: createdAt }))
    .from(mine)
    .innerJoin(products, eq(products.code, mine.productCode))
    .where(contains(sql`${licenseId} || chr(10) || ${products.name}`))
    .orderBy(descending(createdAt))
    .limit(mostHits)
}

function emailDevicesFound(db: Reader) {
  const visible = visibleDevices(db, { isSearch: true })
  const { hostName, updatedAt } = emailDevices
  return db
    .with(visible)
    .select(hit({ kind: sql`'email_device'`, id: hostName, name: emailDevices.appName, date: updatedAt }))
    .from(visible)
    .innerJoin(emailDevices, eq(emailDevices.id, visible.id))
    .orderBy(descending(updatedAt))
    .limit(mostHits)
}

function keyDevicesFound(db: Reader) {
  const held = heldLicenses(db)
  const { pcName, macAddress, requestedAt, keyId } = keyDevices
  return db
    .with(held)
    .select(hit({ kind: sql`'key_device'`, id: pcName, name: products.name, place: keyId, date: requestedAt }))
    .from(held)
    .innerJoin(licenses, eq(licenses.id, held.id))
    .innerJoin(licenseKeys, eq(licenseKeys.licenseId, licenses.id))
    .innerJoin(keyDevices, eq(keyDevices.keyId, licenseKeys.id))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .innerJoin(products, eq(products.code, productCode))
    .where(isFound({ texts: [pcName], mac: macAddress }))
    .orderBy(descending(requestedAt))
    .limit(mostHits)
}

/** The others in the subscriptions whose users the member manages: as Owner, Setup Admin or Admin. Support sees an Owner's alone. */
function usersFound(db: Reader) {
  const { email, invitedAt } = seats
  const isManaged = sql`${ownSeatType(memberId)} <> ${seatTypes.member}`
  const isSeen = sql`(not ${sql.placeholder('isSupport')}::boolean or ${subscriptions.memberId} = ${memberId})`
  const isOther = sql`${seats.memberId} is distinct from ${memberId}`
  return db
    .select(hit({ kind: sql`'user'`, id: email, name: products.name, place: subscriptions.id, date: invitedAt }))
    .from(subscriptions)
    .innerJoin(seats, eq(seats.subscriptionId, subscriptions.id))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(and(isOfMember(db), isManaged, isSeen, isNull(seats.removedAt), isOther, contains(email)))
    .orderBy(descending(invitedAt))
    .limit(mostHits)
}

const found = prepared('account_search', (db, name) =>
  unionAll(
    ordersFound(db),
    offlineOrdersFound(db),
    subscriptionsFound(db),
    licensesFound(db),
    emailDevicesFound(db),
    keyDevicesFound(db),
    usersFound(db),
  ).prepare(name),
)
