import { type SeatType, seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { daysLater } from '../../db/calendar.rules.ts'
import type { products } from '../catalog/catalog.tables.ts'

/** Days for which an invitation is valid, and holds its seat. */
export const invitationDays = 7

/** When an invitation lapses: its seat is free again then. */
export function invitationEnd(invitedAt: Date): Date {
  return daysLater(invitedAt, invitationDays)
}

/** Whether somebody was invited so long ago that they can no longer accept. */
export function isLapsed(seat: { status: 'Pending' | 'Accepted'; invitedAt: Date }, now: Date): boolean {
  return seat.status === 'Pending' && invitationEnd(seat.invitedAt) <= now
}

/** Whether a type may list and manage the users of a subscription (001 §1, §4): Owner, Admin and Setup Admin. */
export function managesTeam(type: SeatType | null): boolean {
  return type !== null && type !== seatTypes.member
}

/**
 * The type that counts for whoever looks: a support agent, let in by a member, sees what that member owns, and of another Owner's team
 * what a Member sees.
 */
export function typeSeenBy({ isSupport }: Pick<Member, 'isSupport'>, type: SeatType | null): SeatType | null {
  return isSupport && type !== null && type !== seatTypes.owner ? seatTypes.member : type
}

interface Sized extends Pick<typeof products.$inferSelect, 'flags' | 'cap'> {
  /** Seats paid. */
  userCount: number
}

/** Whether a subscription has users beside its Owner: those of an individual plan are not managed. */
export function hasTeam({ flags, cap, userCount }: Sized): boolean {
  return !flags.includes('individualSuite') && (userCount > 1 || cap.cap > 1)
}
