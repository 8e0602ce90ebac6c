import { type ComputerDevice, maxComputerDevices, type ReleaseRefusal } from '@atrium/contract/devices.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { maskKey } from '../licenses/licenses.rules.ts'
import { computerOfDevice, type DeviceOnComputer } from './computers.queries.ts'
import { deactivationRefusal } from './devices.rules.ts'
import { deactivateEmailDevice } from './email-devices.service.ts'
import { deactivateKeyDevice, heldKey } from './key-devices.service.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock' | 'jobs'>

/** What is active on the computer of a device. @throws Problem `not_found` */
export async function readComputer(deps: Needs, member: Member, id: string) {
  const all = await onComputer(deps, member, id)
  const [{ name, macAddress } = { name: '', macAddress: '' }] = all.filter((device) => device.id === id)
  const active = all.filter(({ isActive }) => isActive).slice(0, maxComputerDevices)
  const devices: ComputerDevice[] = []
  for (const device of active) devices.push(await described(deps, member, device))
  return { name, macAddress, devices }
}

/** Releases the devices that the member was shown, one by one. @throws Problem `not_found` if one is not on the computer */
export async function releaseComputer(
  deps: Needs,
  member: Member,
  { id, ids }: { id: string; ids: readonly string[] },
) {
  const all = await onComputer(deps, member, id)
  const chosen = all.filter((device) => ids.includes(device.id))
  if (chosen.length < new Set(ids).size) throw new Problem('not_found')

  const devices: ComputerDevice[] = []
  for (const device of chosen) {
    const refusal = await release(deps, member, device)
    devices.push({ ...(await described(deps, member, device)), refusal })
  }
  return { devices }
}

async function onComputer({ db }: Needs, member: Member, id: string): Promise<DeviceOnComputer[]> {
  const all = await computerOfDevice(db, member, id)
  if (all.length === 0) throw new Problem('not_found')
  return all
}

/** Releases one device by its own rule. @returns why not, or null if it is released, now or before */
async function release(deps: Needs, member: Member, device: DeviceOnComputer): Promise<ReleaseRefusal | null> {
  if (!device.isActive) return null
  const { id, keyId: code } = device
  try {
    if (device.method === 'email') await deactivateEmailDevice(deps, member, id)
    else await deactivateKeyDevice(deps, member, { id, code, page: 1, pageSize: 1 })
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // Another tab, or the product itself, was first.
    if (error.code === 'device_not_active') return null
    const refusal = refusals[error.code]
    if (!refusal) throw error
    return refusal
  }
}

const refusals: Readonly<Record<string, ReleaseRefusal>> = {
  earlier_version: 'earlier_version',
  license_expired: 'license_expired',
  no_deactivations_left: 'no_deactivations_left',
  not_found: 'not_yours',
  not_holder: 'not_yours',
}

/** A device as the page shows it, with what forbids its release now. */
async function described(deps: Needs, member: Member, device: DeviceOnComputer): Promise<ComputerDevice> {
  const { id, method, productName, email, keyId: code, appVersion, isActive } = device
  const common = { id, method, productName, email, sn: '', licenseId: '' }
  if (method === 'email') return { ...common, refusal: null }
  const key = await keyIfHeld(deps, member, code)
  if (!key) return { ...common, refusal: 'not_yours' }
  const refusal = isActive ? deactivationRefusal(key, { appVersion, deactivatedAt: null }) : undefined
  const shown = { ...common, sn: maskKey(key.key), licenseId: key.licenseId }
  return { ...shown, refusal: refusal === undefined || refusal === 'device_not_active' ? null : refusal }
}

async function keyIfHeld(deps: Needs, member: Member, code: string) {
  try {
    return await heldKey(deps, deps.db, member, { code })
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
