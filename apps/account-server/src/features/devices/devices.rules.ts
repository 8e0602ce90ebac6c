/** What a license holder may take back in a rolling year, by settings. */
export interface Allowance {
  atLeast: number
  perSeat: number
}

/** Deactivations that a key allows in a rolling year. */
export function deactivationAllowance(seats: number, { atLeast, perSeat }: Allowance): number {
  return Math.max(atLeast, Math.floor(perSeat * seats))
}

/** A deactivation counts against the allowance for 365 days, then falls away. */
export function countedSince(now: Date): Date {
  return new Date(now.getTime() - 365 * 86_400_000)
}

/** The first version that can be told to stop. */
const firstDeactivatable = 12

/** Activated by version 11 or earlier. */
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

/** Why a device cannot be deactivated now, as the problem to answer; nothing where it can. The list shows the same. */
export function deactivationRefusal(key: Key, device: Device) {
  if (device.deactivatedAt !== null) return 'device_not_active'
  if (isEarlierVersion(device.appVersion)) return 'earlier_version'
  if (!key.isValid) return 'license_expired'
  if (key.deactivationsLeft === 0) return 'no_deactivations_left'
  return undefined
}
