import type { FolioRecord } from './record.ts'

type Subscription = Extract<FolioRecord, { type: 'subscription' }>
type Seat = Extract<FolioRecord, { type: 'seat' }>

export type Plan = Pick<Subscription, 'productCode' | 'status' | 'userCount'> & Partial<Subscription>

/** A subscription of one of the cast, named after both. */
export function subscription(owner: string, name: string, plan: Plan): FolioRecord {
  return {
    type: 'subscription',
    subscriptionId: `${owner}-${name}`,
    email: `${owner}@folio.test`,
    origin: 'online',
    channel: 'card',
    periodStart: '',
    orgCode: `ORG-${owner.toUpperCase()}`,
    ...plan,
  }
}

/** Somebody’s seat; without `others` an accepted one with a license. */
export function seat(
  subscriptionId: string,
  email: string,
  seatType: Seat['seatType'],
  invited: string,
  others: Partial<Seat> = {},
): FolioRecord {
  return { type: 'seat', subscriptionId, email, seatType, status: 'Accepted', isUse: true, invited, ...others }
}
