import { gaugeOf, type Metrics } from '@atrium/server-kit/metrics.ts'
import type { Deps } from '../../../deps.ts'
import type { Definitions } from './definition.ts'
import { unresolvedCounts } from './operations.queries.ts'

/** Milliseconds after which an operation is late; the reconciler has checked it twice by then. */
const lateMs = 120_000

/**
 * `provider_operations_unresolved` by kind and state: `open`, `late` (older than two minutes and not waiting for the customer),
 * and `undefined_kind`, which this version cannot resolve.
 */
export function measureOperations(metrics: Metrics, { db, wallClock }: Deps, definitions: Definitions): void {
  gaugeOf(metrics, {
    name: 'provider_operations_unresolved',
    help: 'Provider operations whose outcome is not known yet',
    labelNames: ['kind', 'state'],
    async samples() {
      const counts = await unresolvedCounts(db, new Date(wallClock().getTime() - lateMs))
      return counts.flatMap(({ kind, unresolved, late }) =>
        Object.hasOwn(definitions, kind)
          ? [
              { labels: { kind, state: 'open' }, value: unresolved - late },
              { labels: { kind, state: 'late' }, value: late },
            ]
          : [{ labels: { kind, state: 'undefined_kind' }, value: unresolved }],
      )
    },
  })
}
