import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { type AddressSyncJob, addressSyncQueue, addressSyncRetries } from '../addresses/addresses.writes.ts'
import { enqueueStaleAddresses, writeCustomerAddress } from './customers/customer-address.ts'
import { checkOperations } from './operations/check-operation.ts'
import type { Definitions } from './operations/definition.ts'
import { storeMissedEvents } from './webhooks/missed-events.ts'
import { type WebhookJob, webhooksQueue } from './webhooks/webhooks.writes.ts'

/** Fetches a provider's object by its id, applies its state, and resolves the operations about it. */
type Sync = (deps: Deps, objectId: string) => Promise<void>

/** By provider and its object type; each noun registers its own. Events about other types are only stored. */
export type Syncs = Readonly<Record<WebhookJob['provider'], Readonly<Record<string, Sync>>>>

export interface Handlers {
  definitions: Definitions
  syncs: Syncs
}

/** Handles webhooks and address syncs, and reconciles unresolved operations. */
export async function paymentsJobs(jobs: Jobs, deps: Deps, { definitions, syncs }: Handlers): Promise<void> {
  await jobs.work<WebhookJob>(webhooksQueue, (job) => handleEvent(deps, syncs, job))
  const every20Seconds = { cron: '* * * * *', secondsAfter: [0, 20, 40] }
  await jobs.schedule('payments.reconcile', every20Seconds, () => checkOperations(deps, definitions))
  const types = { card: Object.keys(syncs.card), paypal: Object.keys(syncs.paypal) }
  await jobs.schedule('payments.missed-events', '*/15 * * * *', () => storeMissedEvents(deps, types))
  if (deps.config.CARD_PROVIDER !== 'none') await addressJobs(jobs, deps)
}

async function addressJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<AddressSyncJob>(
    addressSyncQueue,
    ({ memberId }) => writeCustomerAddress(deps, memberId),
    addressSyncRetries,
  )
  await jobs.schedule('payments.addresses', '23 * * * *', () => enqueueStaleAddresses(deps))
}

export async function handleEvent(
  deps: Deps,
  syncs: Syncs,
  { provider, objectType, objectId }: WebhookJob,
): Promise<void> {
  await new Map(Object.entries(syncs[provider])).get(objectType)?.(deps, objectId)
}
