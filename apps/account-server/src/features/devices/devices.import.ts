import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { dateOrNull, importer, type Line, refused, rowsOf } from '../../db/importer.ts'
import { licenseKeys } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { emailDevices, keyDevices } from './devices.tables.ts'

/** A deactivation here stays, whatever an import says. */
const firstDeactivation = (table: string) => sql.raw(`coalesce(${table}.deactivated_at, excluded.deactivated_at)`)

/** A row that is older than the latest change here, such as an activation, is skipped. */
const isNewsOfEmailDevice = sql.raw(
  'greatest(excluded.updated_at, excluded.deactivated_at) >= email_devices.updated_at',
)

export const keyDeviceImporter = importer('key-device', async (tx, lines, context) => {
  const keyIds = await idsOfKeys(
    tx,
    lines.map(({ record }) => record.key),
  )
  const { activeSince, ended } = await knownDevices(tx, lines, keyIds)
  const rows = rowsOf(lines, context, ({ key, macAddress, pcName, appVersion, requestDate, deactivated }) => {
    const keyId = keyIds.get(key)
    if (!keyId) return refused('key', 'there is no such key')
    const device = `${keyId} ${macAddress}`
    const since = Date.parse(requestDate)
    if (deactivated && activeSince.get(device) === since) activeSince.delete(device)
    if (!deactivated && !ended.has(`${device} ${since}`) && !isFirst(activeSince, device, since)) {
      return refused('macAddress', 'the device is active with this key already, since another time')
    }
    const deactivatedAt = dateOrNull(deactivated)
    const deactivatedBy = deactivatedAt && ('vendor' as const)
    return { keyId, macAddress, pcName, appVersion, requestedAt: new Date(since), deactivatedAt, deactivatedBy }
  })
  if (rows.length === 0) return

  await tx
    .insert(keyDevices)
    .values(rows)
    .onConflictDoUpdate({
      target: [keyDevices.keyId, keyDevices.macAddress, keyDevices.requestedAt],
      set: {
        ...excluded(keyDevices, ['pcName', 'appVersion']),
        deactivatedAt: firstDeactivation('key_devices'),
        deactivatedBy: sql`coalesce(key_devices.deactivated_by, excluded.deactivated_by)`,
      },
    })
})

export const emailDeviceImporter = importer('email-device', async (tx, lines, context) => {
  const seatIds = await idsOfSeats(tx, lines)
  const ended = await endedWithSeats(tx, [...seatIds.values()])
  const isEnded = ({ record }: Line<'email-device'>) => {
    const before = ended.get(deviceOf(record)) ?? []
    return before.some((one) => one.deactivatedAt !== null || new Date(record.updated) <= (one.removedAt ?? 0))
  }
  const rows = rowsOf(
    lines.filter((line) => !isEnded(line)),
    context,
    ({ subscriptionId, email, hostName, mac, appName, appVersion, updated, deactivated }) => {
      const seatId = seatIds.get(`${subscriptionId} ${email}`)
      if (!seatId) return refused('email', 'the subscription has no seat for this e-mail address')
      const deactivatedAt = dateOrNull(deactivated)
      return { seatId, subscriptionId, hostName, mac, appName, appVersion, updatedAt: new Date(updated), deactivatedAt }
    },
  )
  if (rows.length === 0) return

  await tx
    .insert(emailDevices)
    .values(rows)
    .onConflictDoUpdate({
      target: [emailDevices.seatId, emailDevices.mac, emailDevices.appName],
      set: {
        ...excluded(emailDevices, ['hostName', 'appVersion', 'updatedAt']),
        deactivatedAt: firstDeactivation('email_devices'),
      },
      setWhere: isNewsOfEmailDevice,
    })
})

/** Locked before writing devices, in the same order as an activation, to avoid deadlocks. */
async function idsOfKeys(tx: Tx, keys: readonly string[]) {
  const found = await tx
    .select({ id: licenseKeys.id, key: licenseKeys.key })
    .from(licenseKeys)
    .where(inArray(licenseKeys.key, [...new Set(keys)]))
    .orderBy(licenseKeys.id)
    .for('key share')
  return new Map(found.map(({ id, key }) => [key, id]))
}

/** Start times of active devices by key and address, and ended records, which an import does not reopen. */
async function knownDevices(tx: Tx, lines: readonly Line<'key-device'>[], keyIds: ReadonlyMap<string, string>) {
  const addresses = lines.map(({ record }) => record.macAddress)
  const found = await tx
    .select({
      device: sql<string>`${keyDevices.keyId} || ' ' || ${keyDevices.macAddress}`,
      since: keyDevices.requestedAt,
      deactivatedAt: keyDevices.deactivatedAt,
    })
    .from(keyDevices)
    .where(
      and(inArray(keyDevices.keyId, [...keyIds.values()]), inArray(keyDevices.macAddress, [...new Set(addresses)])),
    )
  const active = found.filter(({ deactivatedAt }) => deactivatedAt === null)
  const gone = found.filter(({ deactivatedAt }) => deactivatedAt !== null)
  return {
    activeSince: new Map(active.map(({ device, since }) => [device, since.getTime()])),
    ended: new Set(gone.map(({ device, since }) => `${device} ${since.getTime()}`)),
  }
}

/** A device is active once: the first record counts, also within a batch. */
function isFirst(activeSince: Map<string, number>, device: string, since: number): boolean {
  const known = activeSince.get(device)
  activeSince.set(device, known ?? since)
  return known === undefined || known === since
}

/** By subscription and address; locked, for the same reason. */
async function idsOfSeats(tx: Tx, lines: readonly Line<'email-device'>[]) {
  const subscriptionIds = new Set(lines.map(({ record }) => record.subscriptionId))
  const addresses = new Set(lines.map(({ record }) => record.email))
  const found = await tx
    .select({ id: seats.id, subscriptionId: seats.subscriptionId, email: seats.email })
    .from(seats)
    .where(
      and(
        inArray(seats.subscriptionId, [...subscriptionIds]),
        inArray(seats.email, [...addresses]),
        isNull(seats.removedAt),
      ),
    )
    .orderBy(seats.id)
    .for('key share')
  return new Map(found.map(({ id, subscriptionId, email }) => [`${subscriptionId} ${email}`, id]))
}

const deviceOf = (device: { subscriptionId: string; email: string; mac: string; appName: string }) =>
  [device.subscriptionId, device.email, device.mac, device.appName].join(' ')

/** Devices on earlier seats of the same people that are not on these: deactivated, or inactive since the seat ended. */
async function endedWithSeats(tx: Tx, seatIds: readonly string[]) {
  const [current, known] = [alias(seats, 'current'), alias(emailDevices, 'known')]
  const isTheirs = and(eq(current.subscriptionId, seats.subscriptionId), eq(current.email, seats.email))
  const onCurrent = tx
    .select({ id: known.id })
    .from(known)
    .where(and(eq(known.seatId, current.id), eq(known.mac, emailDevices.mac), eq(known.appName, emailDevices.appName)))
  const { subscriptionId, email, removedAt } = seats
  const { mac, appName, deactivatedAt } = emailDevices
  const found = await tx
    .select({ subscriptionId, email, removedAt, mac, appName, deactivatedAt })
    .from(current)
    .innerJoin(seats, and(isTheirs, isNotNull(removedAt)))
    .innerJoin(emailDevices, eq(emailDevices.seatId, seats.id))
    .where(and(inArray(current.id, [...seatIds]), notExists(onCurrent)))
  return Map.groupBy(found, deviceOf)
}
