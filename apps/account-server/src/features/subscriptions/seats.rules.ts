import { type SeatType, seatTypes } from '@atrium/contract/team.ts'

/** Whether a type may list and manage the users of a subscription (001 §1, §4): Owner, Admin and Setup Admin. */
export function managesTeam(type: SeatType | null): boolean {
  return type !== null && type !== seatTypes.member
}
