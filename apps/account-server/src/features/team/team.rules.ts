import { type SeatType, seatTypes } from '@atrium/contract/team.ts'

/** Who sees and manages the users of a subscription (001 §1, §4): its Owner, Admins and Setup Admins. */
export function managesTeam(type: SeatType | null): boolean {
  return type !== null && type !== seatTypes.member
}
