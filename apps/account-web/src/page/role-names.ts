import { seatTypes } from '@atrium/contract/seat-types.ts'

/** The texts of roles below `team:roles` (001 §4). */
export const roleNames = {
  [seatTypes.member]: 'member',
  [seatTypes.admin]: 'admin',
  [seatTypes.owner]: 'owner',
  [seatTypes.setupAdmin]: 'setupAdmin',
} as const
