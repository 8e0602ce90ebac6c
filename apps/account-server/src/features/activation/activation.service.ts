import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Limit } from '@atrium/server-kit/limits.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { recordSystem } from '../activity/activity.writes.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { publishEvent } from '../events/events.writes.ts'
import { hashOf } from '../session/session.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { emailActivation, keyActivation } from './activation.queries.ts'

interface Activation {
  /** The device's token. */
  activationId: string
  mac: string
}

/** Whether a device may still run; the product asks when it starts. */
export async function validation(deps: Deps, { activationId, mac }: Activation) {
  const found = await activationOf(deps, { activationId, mac })
  const { productCode, expirationDate } = found
  if (!found.isActive) return { state: 'deactivated' as const, productCode, expirationDate }
  return { state: found.isValid ? ('active' as const) : ('license_expired' as const), productCode, expirationDate }
}

interface Needs extends Deps {
  /** Limits deactivations by devices per key or seat, so that one is not shared in an office. */
  deactivations: Limit
}

/** Deactivates a device on its own request; idempotent, and possible for an expired license too. */
export async function releaseActivation(deps: Needs, caller: Visitor, { activationId, mac }: Activation) {
  const found = await activationOf(deps, { activationId, mac })
  const { deviceId, method, holderId, heldBy, isActive, isColleagues, email } = found
  if (isActive) await deps.deactivations.take(heldBy)
  await deps.db.transaction(async (tx) => {
    const now = deps.clock()
    const [ended] =
      method === 'keycode'
        ? await tx
            .update(keyDevices)
            .set({ deactivatedAt: now, deactivatedBy: 'device' })
            .where(and(eq(keyDevices.id, deviceId), isNull(keyDevices.deactivatedAt)))
            .returning({ name: keyDevices.pcName })
        : await tx
            .update(emailDevices)
            .set({ deactivatedAt: now, updatedAt: now })
            .where(and(eq(emailDevices.id, deviceId), isNull(emailDevices.deactivatedAt)))
            .returning({ name: emailDevices.hostName })
    if (!ended) return

    // Where a colleague of the Owner is, is theirs.
    const address = isColleagues ? null : caller.address
    const details = { deviceName: ended.name, mac, ...(email !== null && { email }) }
    await recordSystem(
      tx,
      { ...caller, address, actor: 'activation', memberId: holderId },
      { action: 'device.deactivated', target: deviceId, details, now },
    )
    await publishEvent(deps, tx, {
      type: 'device.deactivated',
      data: { deviceId, method, macAddress: mac, deviceName: ended.name },
      now,
    })
  })
  return { state: 'deactivated' as const }
}

/** Finds an activation by token and MAC address; if either is wrong, the answer is the same. */
async function activationOf(deps: Deps, { activationId, mac }: Activation) {
  const access = accessNow(deps)
  const tokenHash = hashOf(activationId)
  const byKey = await keyActivation(deps.db, tokenHash, access)
  const found = byKey ?? (await emailActivation(deps.db, tokenHash, access))
  if (!found || found.mac !== mac) throw new Problem('unknown_activation')
  return { ...found, method: byKey ? ('keycode' as const) : ('email' as const) }
}
