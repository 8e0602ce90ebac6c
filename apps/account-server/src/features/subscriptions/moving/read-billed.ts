import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { readAtProvider } from '../read-at-provider.ts'
import { idAtProvider, type Movable } from './moving.rules.ts'

const concurrency = 5

/**
 * Reads at the providers what they bill, or may. They may not have told yet what was done there a moment ago, and once a subscription has moved,
 * nothing that they tell of it counts.
 * @throws ProviderFailure
 */
export async function readBilled(deps: Deps, rows: readonly Movable[]): Promise<void> {
  const left = rows.filter((row) => idAtProvider(row) !== null)
  while (left.length > 0) await Promise.all(left.splice(0, concurrency).map((row) => readOne(deps, row)))
}

async function readOne(deps: Deps, row: Movable): Promise<void> {
  try {
    await readAtProvider(deps, { channel: row.channel, providerId: idAtProvider(row) })
  } catch (error) {
    // The number of a file, which is none of the provider's.
    const isForeign = row.providerId === null && error instanceof ProviderFailure && error.kind === 'invalid'
    if (!isForeign) throw error
  }
}
