import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import { useTranslation } from 'react-i18next'

const roleNames = {
  [seatTypes.member]: 'member',
  [seatTypes.admin]: 'admin',
  [seatTypes.owner]: 'owner',
  [seatTypes.setupAdmin]: 'setupAdmin',
} as const

/** The name of a role (001 §4). Its texts are apart from those of the team, so that a list of roles loads no more. */
export function useRoleName(): (type: SeatType) => string {
  const { t } = useTranslation('roles')
  return (type) => t(`names.${roleNames[type]}`)
}
