import type { LicenseAction, Relationship, UserRole } from '@atrium/contract/licenses.ts'
import { Problem } from '@atrium/server-kit/problem.ts'

const shownFirst = 10

/** How many characters of a key's end its mask shows. */
export const shownLast = 5

/** Too many hidden characters to guess. */
const hiddenAtLeast = 8

/** The mask of a key: its first ten characters, asterisks, its last five (000 §2). A short key shows less of its beginning. */
export function maskKey(key: string): string {
  const first = Math.max(0, Math.min(shownFirst, key.length - hiddenAtLeast - shownLast))
  const hidden = Math.max(hiddenAtLeast, key.length - first - shownLast)
  return `${key.slice(0, first)}${'*'.repeat(hidden)}${key.slice(-shownLast)}`
}

/**
 * Requires that the member is the license's Holder, for the license or one of its keys.
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
  /** Flags of the product in the catalog. */
  flags: readonly string[]
  /** Whether the caller manages the users of the license's subscription. */
  managesUsers: boolean
  acLiceId: string
}

/** The actions of a license for its caller (000 §6). Rules check flags of the catalog, not product codes. */
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

/** In display order. */
const LicenseActions: readonly LicenseAction[] = [
  'get_key',
  'manage_devices',
  'manage_user',
  'admin_console',
  'purchase',
  'purchase_additional',
]
