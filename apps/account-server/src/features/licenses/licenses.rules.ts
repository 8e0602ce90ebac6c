import type { LicenseAction, Relationship, UserRole } from '@atrium/contract/licenses.ts'
import { Problem } from '@atrium/server-kit/problem.ts'

const shownFirst = 10
const shownLast = 5

/** So many characters nobody finds by trying. */
const hiddenAtLeast = 8

/**
 * A key as it may be shown: its first ten characters, asterisks, its last five (000 §2). Of a key so short that it would
 * all but stand there, less of its beginning.
 */
export function maskKey(key: string): string {
  const first = Math.max(0, Math.min(shownFirst, key.length - hiddenAtLeast - shownLast))
  const hidden = Math.max(hiddenAtLeast, key.length - first - shownLast)
  return `${key.slice(0, first)}${'*'.repeat(hidden)}${key.slice(-shownLast)}`
}

/**
 * What the member holds: the license itself, or a key of it.
 * @throws Problem `not_found` for a foreign one, `not_holder` for a Partner or Contact
 */
export function requireHeld<Found extends { relationship: Relationship }>(found: Found | undefined): Found {
  if (!found) throw new Problem('not_found')
  if (found.relationship !== 'Holder') throw new Problem('not_holder')
  return found
}

interface Facts {
  relationship: Relationship
  userRole: UserRole
  activationMethod: 'keycode' | 'email'
  /** Flags of the product in the catalogue. */
  flags: readonly string[]
  /** Whether the caller manages the users of the subscription behind it. */
  managesUsers: boolean
  acLiceId: string
}

/** What a license offers its caller (000 §6). Product codes are flags of the catalogue. */
export function licenseActions(facts: Facts): LicenseAction[] {
  const isHolder = facts.relationship === 'Holder'
  const buys = facts.userRole === 'bill' || facts.userRole === 'commercial'
  const offered: Readonly<Record<LicenseAction, boolean>> = {
    get_key: isHolder && facts.activationMethod === 'keycode',
    manage_devices: isHolder,
    manage_user: isHolder && facts.managesUsers && !facts.flags.includes('individualSuite'),
    admin_console: isHolder && facts.flags.includes('adminConsole'),
    purchase: buys && facts.acLiceId !== '',
    purchase_additional: buys && facts.flags.includes('additionalLicenses'),
  }
  return LicenseActions.filter((action) => offered[action])
}

/** In the order in which they are shown. */
const LicenseActions: readonly LicenseAction[] = [
  'get_key',
  'manage_devices',
  'manage_user',
  'admin_console',
  'purchase',
  'purchase_additional',
]
