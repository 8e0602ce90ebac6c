import type { Deps } from '../../deps.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { isInTimeForCall } from '../payments/operations/operations.rules.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'

interface Dropped {
  /** The card provider's; empty: nothing is planned. */
  scheduleId: string
  /** How it fails if there is no time left for the call that follows. */
  late: 'unavailable' | 'unknown'
}

/** Drops what the card provider has planned for a subscription, before an operation does what the schedule would refuse or undo. */
export async function dropPlanned(
  { cards, wallClock }: Pick<Deps, 'cards' | 'wallClock'>,
  { id, calledAt }: Pick<OperationRow, 'id' | 'calledAt'>,
  { scheduleId, late }: Dropped,
): Promise<void> {
  if (scheduleId === '') return
  await cards.releaseSchedule(scheduleId, id)
  if (!isInTimeForCall({ calledAt }, wallClock())) throw new ProviderFailure(late, new Error('too late'))
}
