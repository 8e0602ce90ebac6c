import { z } from 'zod'

/** Type codes of subscription users, 001 §4. */
export const seatTypes = { member: 0, admin: 1, owner: 2, setupAdmin: 3 } as const
export const SeatType = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)])
export type SeatType = z.infer<typeof SeatType>
