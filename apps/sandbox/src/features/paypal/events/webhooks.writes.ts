import { find, findLocked, list, save } from '../store/store.ts'
import type { Webhook } from '../store/stored.ts'
import type { Call } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'
import { eventTypes } from './event-types.rules.ts'
import { mostWebhooks } from './events.writes.ts'

/** Here the name itself says what is wrong. */
function refused(name: string, message: string, status = 400): Refusal {
  return new Refusal(status, { name, message })
}

function noWebhook(): Refusal {
  return refused('INVALID_RESOURCE_ID', 'The resource id is not valid.', 404)
}

/** @throws Refusal 404 */
export async function webhookById(call: Call, id: string): Promise<Webhook> {
  const webhook = await find(call.tx, 'webhook', id)
  if (!webhook) throw noWebhook()
  return webhook
}

export async function allWebhooks(call: Pick<Call, 'tx'>): Promise<Webhook[]> {
  const { objects } = await list(call.tx, { kind: 'webhook', page: 1, pageSize: 100, isNewestFirst: false })
  return objects
}

/** @throws Refusal for an address that has a webhook, an eleventh one, or an unknown event type */
export async function createWebhook(call: Call, url: string, types: readonly string[]): Promise<Webhook> {
  const others = await allWebhooks(call)
  if (others.some((other) => other.url === url)) {
    throw refused('WEBHOOK_URL_ALREADY_EXISTS', 'There is a webhook with this address already.')
  }
  if (others.length >= mostWebhooks) {
    throw refused('WEBHOOK_NUMBER_LIMIT_EXCEEDED', `There can be at most ${mostWebhooks} webhooks.`)
  }
  const webhook: Webhook = {
    id: newId.transaction(),
    url,
    eventTypes: knownTypes(types),
    createdAt: call.now.toISOString(),
  }
  await save(call.tx, { kind: 'webhook', object: webhook })
  return webhook
}

interface Change {
  url?: string | undefined
  types?: readonly string[] | undefined
}

/** @throws Refusal 404, or as `createWebhook` */
export async function updateWebhook(call: Call, id: string, { url, types }: Change): Promise<Webhook> {
  const webhook = await findLocked(call.tx, 'webhook', id)
  if (!webhook) throw noWebhook()
  const others = await allWebhooks(call)
  if (url !== undefined && others.some((other) => other.url === url && other.id !== id)) {
    throw refused('WEBHOOK_URL_ALREADY_EXISTS', 'There is a webhook with this address already.')
  }
  const object = { ...webhook, url: url ?? webhook.url, eventTypes: types ? knownTypes(types) : webhook.eventTypes }
  await save(call.tx, { kind: 'webhook', object })
  return object
}

function knownTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => type !== '*' && !eventTypes.includes(type))
  if (unknown === undefined) return [...new Set(types)]
  throw refused('VALIDATION_ERROR', `There is no event type ${unknown.slice(0, 100)}.`)
}
