import { randomUUID } from 'node:crypto'
import type { activateDevice } from '@atrium/contract/activation.ts'
import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import { keyDevices } from '../devices/devices.tables.ts'
import { publishEvent } from '../events/events.writes.ts'
import { maskKey } from '../licenses/licenses.rules.ts'
import { hashOf } from '../session/session.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { keyFacts, lockKeyTyped } from './activation.queries.ts'
import { keyDeviceToken } from './activation.rules.ts'

export type Activated = EndpointAnswer<typeof activateDevice>
type Body = EndpointInput<typeof activateDevice>['body']
export type Asked<Method extends Body['method']> = Extract<Body, { method: Method }>

/** Activates a device with a key: once per device, and never more devices than the key has seats. */
export function activateWithKey(deps: Deps, caller: Visitor, asked: Asked<'keycode'>): Promise<Activated> {
  return deps.db.transaction(async (tx) => {
    // The key's row is the lock: concurrent devices cannot share the last seat.
    const key = await lockKeyTyped(tx, asked.sn)
    if (!key || key.revokedAt !== null) throw new Problem('unknown_key')

    const { macAddress, pcName, appVersion } = asked
    const access = accessNow(deps)
    const facts = await keyFacts(tx, key.id, macAddress, access)
    if (!facts?.isValid) throw new Problem('license_expired')
    const { licenseId, productCode, seats, expirationDate, activeDevices } = facts
    const deviceId = facts.deviceId ?? randomUUID()
    const activationId = keyDeviceToken(key.key, deviceId)
    const device = { pcName, appVersion, tokenHash: hashOf(activationId) }
    const answer = { activationId, productCode, licenseId, expirationDate, seats }

    if (facts.deviceId) {
      if (!facts.isPaidDevice) throw new Problem('no_activations_left')
      // A repeated activation, perhaps after an update: stores the current version.
      await tx.update(keyDevices).set(device).where(eq(keyDevices.id, deviceId))
      return { ...answer, activeDevices }
    }
    if (activeDevices >= seats) throw new Problem('no_activations_left')

    const { now } = access
    await tx.insert(keyDevices).values({ ...device, id: deviceId, keyId: key.id, macAddress, requestedAt: now })
    await recordSystem(
      tx,
      { ...caller, actor: 'activation', memberId: facts.holderId },
      { action: 'device.activated', target: deviceId, details: { pcName, macAddress, appVersion, licenseId }, now },
    )
    await publishEvent(deps, tx, {
      type: 'device.activated',
      data: {
        deviceId,
        method: 'keycode',
        licenseId,
        activationKey: maskKey(key.key),
        macAddress,
        deviceName: pcName,
        appVersion,
      },
      now,
    })
    return { ...answer, activeDevices: activeDevices + 1 }
  })
}
