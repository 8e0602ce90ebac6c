import * as contract from '@atrium/contract/devices.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem, problemWithData } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { z } from 'zod'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { emailDevices } from './devices.tables.ts'
import { emailDevicesOfMember, lockEmailDevice } from './email-devices.queries.ts'

/** Devices of the subscriptions in which the member has a seat; an Owner also gets the other users' (000 §2.8). */
export async function emailDevicesOf(
  { db }: Pick<Deps, 'db'>,
  member: Member,
  query: z.output<typeof contract.listEmailDevices.query>,
) {
  const { list, total } = await emailDevicesOfMember(db, member, query)
  return { licenceList: list.map(emailDeviceFrom), totalNum: total }
}

/** Deactivates a device, which frees its place on the seat immediately. */
export function deactivateEmailDevice(
  deps: Pick<Deps, 'db' | 'config' | 'clock' | 'jobs'>,
  member: Member,
  id: string,
): Promise<contract.EmailDevice> {
  return deps.db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const device = await lockEmailDevice(tx, member, id)
    if (!device) throw new Problem('not_found')
    if (!device.isActive) {
      throw problemWithData(contract.deactivateEmailDevice, 'device_not_active', emailDeviceFrom(device))
    }

    const now = deps.clock()
    const { hostName, mac, appName, appVersion, email, subscriptionId } = device
    await tx.update(emailDevices).set({ deactivatedAt: now, updatedAt: now }).where(eq(emailDevices.id, id))
    await record(tx, member, {
      action: 'device.deactivated',
      target: id,
      details: { hostName, mac, appName, email, subscriptionId },
      now,
    })
    await publishEvent(deps, tx, {
      type: 'device.deactivated',
      data: {
        deviceId: id,
        method: 'email',
        subscriptionId,
        email,
        macAddress: mac,
        deviceName: hostName,
        appName,
        appVersion,
      },
      now,
    })
    return emailDeviceFrom({ ...device, isActive: false, inactiveSince: now, updatedAt: now })
  })
}

type Row = Awaited<ReturnType<typeof emailDevicesOfMember>>['list'][number]

function emailDeviceFrom(device: Row): contract.EmailDevice {
  return {
    licenseId: device.id,
    hostName: device.hostName,
    mac: device.mac,
    appName: device.appName,
    email: device.email,
    productName: device.productName,
    subStatus: device.subscriptionStatus,
    updateDate: device.updatedAt.toISOString(),
    isDelete: device.isActive ? '0' : '1',
    inactiveSince: device.inactiveSince?.toISOString() ?? null,
  }
}
