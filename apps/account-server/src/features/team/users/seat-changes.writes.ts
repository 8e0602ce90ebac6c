import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../../deps.ts'
import { recordIn } from '../../activity/activity.writes.ts'
import { publishEvent } from '../../events/events.writes.ts'
import type { SeatRow } from '../team.queries.ts'

/** What happened to a seat; in activity rows and events. */
export type SeatHappening =
  | 'invited'
  | 'invitation_resent'
  | 'invitation_withdrawn'
  | 'invitation_lapsed'
  | 'joined'
  | 'role_changed'
  | 'license_activated'
  | 'license_deactivated'
  | 'removed'

interface Change {
  happening: SeatHappening
  /** The Owner of the subscription: the account it happened in. */
  ownerId: string
  /** As it is now. */
  seat: SeatRow
  before?: Partial<SeatRow>
  now: Date
}

/** One row in the Owner's activity, and an event for the vendor's systems, in the transaction of the change. */
export async function noteSeatChange(
  deps: Pick<Deps, 'config' | 'jobs'>,
  tx: Tx,
  actor: Member,
  { happening, ownerId, seat, before = {}, now }: Change,
): Promise<void> {
  const details = { subscriptionId: seat.subscriptionId, email: seat.email, before, after: factsOf(seat) }
  await recordIn(tx, ownerId, actor, { action: `seat.${happening}`, target: seat.id, details, now })
  await publishSeatChange(deps, tx, { happening, seat, now })
}

/** Tells the vendor's systems of a change, in its transaction. */
export function publishSeatChange(
  deps: Pick<Deps, 'config' | 'jobs'>,
  tx: Tx,
  { happening, seat, now }: Pick<Change, 'happening' | 'seat' | 'now'>,
): Promise<void> {
  const { id: seatId, subscriptionId, email } = seat
  const data = { seatId, subscriptionId, email, happened: happening, ...factsOf(seat) }
  return publishEvent(deps, tx, { type: 'seat.changed', data, now })
}

function factsOf({ type, status, isUse, removedAt }: SeatRow) {
  return { type, status, isUse, isRemoved: removedAt !== null }
}
