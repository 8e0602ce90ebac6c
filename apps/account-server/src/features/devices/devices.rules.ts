/** Deactivations that a license holder has in a rolling year, from settings. */
export interface Allowance {
  atLeast: number
  perSeat: number
}

/** The deactivations of a key in a rolling year. */
export function deactivationAllowance(seats: number, { atLeast, perSeat }: Allowance): number {
  return Math.max(atLeast, Math.floor(perSeat * seats))
}

/** A deactivation counts against the allowance for 365 days. */
export function countedSince(now: Date): Date {
  return new Date(now.getTime() - 365 * 86_400_000)
}

/** The first version that can be deactivated remotely. */
const firstDeactivatable = 12

export function isEarlierVersion(appVersion: string): boolean {
  return Number.parseInt(appVersion, 10) < firstDeactivatable
}

interface Key {
  /** Whether its license is valid. */
  isValid: boolean
  deactivationsLeft: number
}

interface Device {
  appVersion: string
  deactivatedAt: Date | null
}

/** The problem code if a device cannot be deactivated now, else undefined. The list uses the same. */
export function deactivationRefusal(key: Key, device: Device) {
  if (device.deactivatedAt !== null) return 'device_not_active'
  if (isEarlierVersion(device.appVersion)) return 'earlier_version'
  if (!key.isValid) return 'license_expired'
  if (key.deactivationsLeft === 0) return 'no_deactivations_left'
  return undefined
}
