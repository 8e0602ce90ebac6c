import type { Deps } from '../../deps.ts'
import { emailDeclinedOrder } from './declined-order.email.ts'
import type { ProjectionDeps } from './projection.writes.ts'
import { announceChange, enqueueFailed } from './subscription-changes.writes.ts'

/** For what a webhook tells: with events and emails, and unknown prices as errors in the log. */
export function liveProjection(deps: Deps): ProjectionDeps & Pick<Deps, 'config'> {
  return {
    ...deps,
    announce: announceChange.bind(undefined, deps),
    announceDeclined: emailDeclinedOrder.bind(undefined, deps),
    reportUnknownPrice: (facts) => deps.logger.error(facts, 'a price that the catalog does not know'),
  }
}

/**
 * For a take-over: nothing happened now, so nobody is told; the person who runs it reads what is unknown. Only whose payment has failed
 * since an earlier reading is emailed, by the running program: the event about it changes nothing any more.
 */
export function takeOverProjection(
  deps: Pick<Deps, 'db' | 'clock' | 'logger' | 'jobs'> & Pick<ProjectionDeps, 'config'>,
  reportUnknownPrice: ProjectionDeps['reportUnknownPrice'],
): ProjectionDeps {
  return {
    ...deps,
    announce: enqueueFailed.bind(undefined, deps),
    announceDeclined: async () => undefined,
    jobs: { send: async () => undefined, sendLater: async () => undefined },
    reportUnknownPrice,
  }
}
