import { gaugeOf, type Metrics } from '@atrium/server-kit/metrics.ts'
import type { Deps } from '../../../deps.ts'
import { unmatchedCounts } from './unmatched.queries.ts'

/** `unmatched_purchases` by provider and reason: what was bought, and waits for the operator. */
export function measureUnmatched(metrics: Metrics, { db }: Pick<Deps, 'db'>): void {
  gaugeOf(metrics, {
    name: 'unmatched_purchases',
    help: 'Purchases at a provider that are nobody’s here, or are not granted',
    labelNames: ['provider', 'reason'],
    async samples() {
      const counts = await unmatchedCounts(db)
      return counts.map(({ provider, reason, count }) => ({ labels: { provider, reason }, value: count }))
    },
  })
}
