import * as contract from '@atrium/contract/devices.ts'
import type { DataProblemCode } from '@atrium/contract/endpoint.ts'
import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { maskKey, requireHeld } from '../licenses/licenses.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { activationRecord } from './activation-record.ts'
import { deactivationAllowance, deactivationRefusal, isEarlierVersion } from './devices.rules.ts'
import { keyDevices } from './devices.tables.ts'
import {
  type AskedKey,
  allKeyDevices,
  keyDeviceOf,
  keyOfMember,
  lockKey,
  pageOfKeyDevices,
} from './key-devices.queries.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs'>

/** The devices of a key and the year's allowance, for its Holder. */
export async function keyDevicesOf(
  deps: Needs,
  member: Member,
  { licenseId, ...query }: z.output<typeof contract.listKeyDevices.query>,
) {
  const key = await heldKey(deps, deps.db, member, query)
  if (licenseId !== undefined && licenseId !== key.licenseId) throw new Problem('not_found')
  return keyDevicesReply(deps.db, key, query)
}

interface Deactivation extends AskedKey, PageQuery {
  /** `itemId` of the list. */
  id: string
}

/** Deactivates a device immediately. The reply, and refusals because of its state, contain the updated list. */
export function deactivateKeyDevice(deps: Needs, member: Member, { id, ...query }: Deactivation) {
  const { code } = query
  return deps.db.transaction(async (tx) => {
    const listNow = async () => keyDevicesReply(tx, await heldKey(deps, tx, member, query), query)
    const refused = async (refusal: DataProblemCode<typeof contract.deactivateKeyDevice>) =>
      problemWithData(contract.deactivateKeyDevice, refusal, await listNow())

    await lockCaller(tx, member)
    await lockKey(tx, code)
    const key = await heldKey(deps, tx, member, { code })
    const device = await keyDeviceOf(tx, code, id)
    if (!device) throw new Problem('not_found')
    const refusal = deactivationRefusal(key, device)
    if (refusal) throw await refused(refusal)

    const now = deps.clock()
    const { macAddress, pcName, appVersion } = device
    // The product may deactivate it concurrently, which does not lock the key.
    const ended = await tx
      .update(keyDevices)
      .set({ deactivatedAt: now, deactivatedBy: 'member' })
      .where(and(eq(keyDevices.id, device.id), isNull(keyDevices.deactivatedAt)))
      .returning({ id: keyDevices.id })
    if (ended.length === 0) throw await refused('device_not_active')

    await record(tx, member, {
      action: 'device.deactivated',
      target: device.id,
      details: { pcName, macAddress, licenseId: key.licenseId },
      now,
    })
    await publishEvent(deps, tx, {
      type: 'device.deactivated',
      data: {
        deviceId: device.id,
        method: 'keycode',
        licenseId: key.licenseId,
        activationKey: maskKey(key.key),
        macAddress,
        deviceName: pcName,
        appVersion,
      },
      now,
    })
    return listNow()
  })
}

export async function exportOfKey(deps: Needs, member: Member, code: string) {
  const key = await heldKey(deps, deps.db, member, { code })
  const csv = activationRecord(maskKey(key.key), await allKeyDevices(deps.db, code))
  const day = deps.clock().toISOString().slice(0, 10).replaceAll('-', '')
  return {
    content: Buffer.from(csv).toString('base64'),
    fileName: `activation-records-${key.key.slice(-5).replaceAll(/[^A-Za-z0-9]/g, '_')}-${day}.csv`,
  }
}

/** A key of a license whose Holder is the member. @throws Problem `not_found` for a foreign one, `not_holder` */
export async function heldKey(deps: Needs, db: Reader, member: Member, asked: AskedKey) {
  const key = requireHeld(await keyOfMember(db, member, asked, accessNow(deps)))
  const { DEACTIVATIONS_A_YEAR_AT_LEAST: atLeast, DEACTIVATIONS_A_YEAR_PER_SEAT: perSeat } = deps.config
  const allowance = deactivationAllowance(key.seats, { atLeast, perSeat })
  return { ...key, allowance, deactivationsLeft: Math.max(0, allowance - key.spent) }
}

async function keyDevicesReply(
  db: Reader,
  key: Awaited<ReturnType<typeof heldKey>>,
  query: AskedKey & PageQuery,
): Promise<contract.KeyDevices> {
  const activationKey = maskKey(key.key)
  const devices = await pageOfKeyDevices(db, query)
  return {
    log: devices.map((device) => ({
      itemId: device.id,
      sn: activationKey,
      macAddress: device.macAddress,
      pcName: device.pcName,
      status: device.deactivatedAt === null ? 0 : 1,
      inactiveSince: device.deactivatedAt?.toISOString() ?? null,
      requestDate: device.requestedAt.toISOString(),
      canDeactivate: deactivationRefusal(key, device) === undefined ? 1 : 0,
      earlierVersionTip: isEarlierVersion(device.appVersion) ? 1 : 0,
    })),
    total: key.total,
    activationKey,
    licenseId: key.licenseId,
    productName: key.productName,
    isValid: key.isValid,
    seats: key.seats,
    activeDevices: key.activeDevices,
    deactivationAllowance: key.allowance,
    deactivationsLeft: key.deactivationsLeft,
  }
}
