import { find, list, markDeleted, save } from '../store/store.ts'
import type { Webhook } from '../store/stored.ts'
import type { Call, Reading } from '../wire/call.ts'
import { newId } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'
import { eventTypes } from './event-types.rules.ts'
import { mostWebhooks } from './events.writes.ts'

/** Here the name itself says what is wrong. */
function refused(name: string, message: string, status = 400): Refusal {
  return new Refusal(status, { name, message })
}

export async function allWebhooks(call: Pick<Reading, 'tx'>): Promise<Webhook[]> {
  const { objects } = await list(call.tx, { kind: 'webhook', page: 1, pageSize: 100, isNewestFirst: false })
  return objects
}

/** @throws Refusal for an address that has a webhook, an eleventh one, or an unknown event type */
export async function createWebhook(
  call: Call,
  { url, types }: { url: string; types: readonly string[] },
): Promise<Webhook> {
  const others = await allWebhooks(call)
  if (others.some((other) => other.url === url)) {
    throw refused('WEBHOOK_URL_ALREADY_EXISTS', 'There is a webhook with this address already.')
  }
  if (others.length >= mostWebhooks) {
    throw refused('WEBHOOK_NUMBER_LIMIT_EXCEEDED', `There can be at most ${mostWebhooks} webhooks.`)
  }
  const unknown = types.find((type) => type !== '*' && !eventTypes.includes(type))
  if (unknown !== undefined) throw refused('VALIDATION_ERROR', `There is no event type ${unknown.slice(0, 100)}.`)
  const webhook = { id: newId.transaction(), url, eventTypes: [...new Set(types)], createdAt: call.now.toISOString() }
  await save(call.tx, { kind: 'webhook', object: webhook })
  return webhook
}

/** @throws Refusal 404 */
export async function deleteWebhook(call: Call, id: string): Promise<void> {
  if (!(await find(call.tx, 'webhook', id))) throw refused('INVALID_RESOURCE_ID', 'The resource id is not valid.', 404)
  await markDeleted(call.tx, id)
}
