import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { ProviderEvent } from '../../../outside/provider-event.ts'
import { providerEventReads } from './webhooks.tables.ts'
import { storeEvent, type WebhookJob } from './webhooks.writes.ts'

type Provider = WebhookJob['provider']

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Before the first run. */
const firstLookMs = 72 * hourMs

/** A provider's list may be a little behind; and its clock, ours. */
const overlapMs = 10 * minuteMs

/** What is read at once, and how often in a run: a week, after an outage of ours. */
const windowMs = hourMs
const mostWindows = 168

/**
 * Reads the providers' own lists of events, and stores what no webhook brought, with its job: a webhook may be lost, or refused while
 * this server was down for longer than the provider retries. It goes on where the last run ended.
 * @param types object types for which a sync is registered
 */
export async function storeMissedEvents(
  deps: Deps,
  types: Readonly<Record<Provider, readonly string[]>>,
): Promise<void> {
  const { cards, paypal, config } = deps
  const sources: readonly Source[] = [
    { provider: 'card', isUsed: config.CARD_PROVIDER !== 'none', types: types.card, read: cards.eventsBetween },
    { provider: 'paypal', isUsed: config.PAYPAL !== 'none', types: types.paypal, read: paypal.eventsBetween },
  ]
  const read = sources.filter(({ isUsed }) => isUsed).map((source) => readEvents(deps, source))
  // One that is away does not keep the other one from being read.
  const failed = (await Promise.allSettled(read)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

interface Source {
  provider: Provider
  isUsed: boolean
  types: readonly string[]
  read(period: { from: Date; to: Date }): Promise<ProviderEvent[]>
}

async function readEvents(deps: Deps, { provider, types, read }: Source): Promise<void> {
  const now = deps.clock()
  const [row] = await deps.db.select().from(providerEventReads).where(eq(providerEventReads.provider, provider))
  let from = row?.readUntil ?? new Date(now.getTime() - firstLookMs)
  for (let window = 0; window < mostWindows && from < now; window += 1) {
    const to = new Date(Math.min(now.getTime(), from.getTime() + windowMs))
    const events = await read({ from: new Date(from.getTime() - overlapMs), to })
    for (const event of events) if (types.includes(event.objectType)) await storeEvent(deps, provider, event)
    const values = { provider, readUntil: to }
    await deps.db
      .insert(providerEventReads)
      .values(values)
      .onConflictDoUpdate({ target: providerEventReads.provider, set: values })
    from = to
  }
}
