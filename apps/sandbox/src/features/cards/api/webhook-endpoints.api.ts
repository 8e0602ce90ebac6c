import type Stripe from 'stripe'
import { apiVersion } from '../events/events.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { findLocked, listed, markDeleted, save } from '../store/store.ts'
import type { StoredOf } from '../store/stored.ts'
import { epochSeconds, newId, randomText } from '../wire/ids.rules.ts'
import {
  boolean,
  list,
  mergedMetadata,
  metadata,
  present,
  text,
  unsettable,
  webAddress,
} from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const mostEndpoints = 16

const shared = { description: unsettable(text()).optional(), metadata: metadata.optional() }

export function webhookEndpointsApi(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/webhook_endpoints',
    takes: {
      ...shared,
      url: webAddress(),
      enabled_events: list(text()),
      api_version: text().optional(),
      connect: boolean().optional(),
    },
    run: (call, given) => createEndpoint(call, given),
  })

  api.change(
    '/webhook_endpoints/:id',
    {
      ...shared,
      url: webAddress().optional(),
      enabled_events: list(text()).optional(),
      disabled: boolean().optional(),
    },
    updateEndpoint,
  )

  serveResource(api, {
    kind: 'webhook_endpoint',
    path: '/webhook_endpoints',
    noun: 'webhook endpoint',
    param: 'webhook_endpoint',
    filters: {},
    async remove(call, id) {
      await endpoint(call, id)
      await markDeleted(call.tx, id)
    },
  })
}

interface NewEndpoint {
  url: string
  enabled_events: string[]
  description?: string | null | undefined
  metadata?: Record<string, string> | null | undefined
  /** Chosen by the setup of a local stack, otherwise generated. */
  secret?: string | undefined
}

/** Only this reply contains the secret. */
export async function createEndpoint(call: Call, given: NewEndpoint): Promise<Stripe.WebhookEndpoint> {
  const { data } = await listed(call.tx, {
    kind: 'webhook_endpoint',
    noun: 'webhook endpoint',
    url: '',
    page: { limit: mostEndpoints },
    where: [],
  })
  if (data.length >= mostEndpoints) {
    throw invalidRequest(`You have reached the maximum of ${mostEndpoints} test webhook endpoints.`)
  }
  const object: Stripe.WebhookEndpoint = {
    id: newId('we_'),
    object: 'webhook_endpoint',
    api_version: apiVersion,
    application: null,
    created: epochSeconds(call.now),
    description: given.description ?? null,
    enabled_events: enabledEvents(given.enabled_events),
    livemode: false,
    metadata: mergedMetadata({}, given.metadata),
    status: 'enabled',
    url: given.url,
  }
  const secret = given.secret ?? `whsec_${randomText(32)}`
  await save(call.tx, { kind: 'webhook_endpoint', object, hidden: { secret } })
  return { ...object, secret }
}

interface EndpointChange extends Pick<NewEndpoint, 'description' | 'metadata'> {
  url?: string | undefined
  enabled_events?: string[] | undefined
  disabled?: boolean | undefined
}

async function updateEndpoint(call: Call, id: string, given: EndpointChange): Promise<Stripe.WebhookEndpoint> {
  const found = await endpoint(call, id)
  const object: Stripe.WebhookEndpoint = {
    ...found.object,
    ...present({ url: given.url, description: given.description }),
    ...(given.enabled_events && { enabled_events: enabledEvents(given.enabled_events) }),
    ...(given.disabled !== undefined && { status: given.disabled ? 'disabled' : 'enabled' }),
    metadata: mergedMetadata(found.object.metadata, given.metadata),
  }
  await save(call.tx, { ...found, object })
  return object
}

async function endpoint(call: Call, id: string): Promise<StoredOf<'webhook_endpoint'>> {
  const found = await findLocked(call.tx, 'webhook_endpoint', id)
  if (!found) throw noSuch('webhook endpoint', id, { param: 'webhook_endpoint', status: 404 })
  return found
}

function enabledEvents(types: string[]): string[] {
  const wrong = types.find((type) => type !== '*' && !/^[a-z_]+(\.[a-z_]+)+$/.test(type))
  if (types.length > 0 && wrong === undefined) return types
  throw invalidRequest(`Invalid enabled_events: ${wrong ?? 'at least one event is needed'}`, {
    param: 'enabled_events',
  })
}
