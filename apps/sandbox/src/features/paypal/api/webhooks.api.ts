import { z } from 'zod'
import { eventTypes } from '../events/event-types.rules.ts'
import { notificationsPath, wireWebhook } from '../events/events.wire.ts'
import { allWebhooks, createWebhook, updateWebhook, webhookById } from '../events/webhooks.writes.ts'
import { markDeleted } from '../store/store.ts'
import { type Api, noQuery } from '../wire/api.ts'
import { patches, text, webAddress } from '../wire/fields.rules.ts'
import { readPatches } from '../wire/patches.rules.ts'

const path = `${notificationsPath}/webhooks`

const Types = z
  .array(z.object({ name: text(100) }))
  .min(1)
  .max(100)

const patchable = [
  { path: '/url', operations: ['replace'], schema: webAddress },
  { path: '/event_types', operations: ['replace'], schema: Types },
] as const

/** Webhooks: the addresses that are told of events. */
export function webhooksApi(api: Api): void {
  api.change({
    method: 'POST',
    path,
    body: z.strictObject({ url: webAddress, event_types: Types }),
    async run(call, { body }) {
      const webhook = await createWebhook(call, body.url, namesOf(body.event_types))
      return { status: 201, body: wireWebhook(call.publicUrl, webhook) }
    },
  })

  api.get({
    path,
    query: noQuery,
    run: async (call) => ({ webhooks: (await allWebhooks(call)).map((one) => wireWebhook(call.publicUrl, one)) }),
  })

  api.get({
    path: `${path}/:id`,
    query: noQuery,
    run: async (call, { id }) => wireWebhook(call.publicUrl, await webhookById(call, id)),
  })

  api.get({
    path: `${path}/:id/event-types`,
    query: noQuery,
    async run(call, { id }) {
      const { event_types } = wireWebhook(call.publicUrl, await webhookById(call, id))
      return { event_types }
    },
  })

  api.get({
    path: `${notificationsPath}/webhooks-event-types`,
    query: noQuery,
    run: async () => ({ event_types: eventTypes.map((name) => ({ name, description: '', status: 'ENABLED' })) }),
  })

  api.change({
    method: 'PATCH',
    path: `${path}/:id`,
    body: patches,
    async run(call, { id, body }) {
      const wanted = readPatches(body, patchable)
      const webhook = await updateWebhook(call, id, {
        url: z.string().optional().parse(wanted.get('/url')),
        types: Types.transform(namesOf).optional().parse(wanted.get('/event_types')),
      })
      return { status: 200, body: wireWebhook(call.publicUrl, webhook) }
    },
  })

  api.change({
    method: 'DELETE',
    path: `${path}/:id`,
    body: z.undefined(),
    async run(call, { id }) {
      await webhookById(call, id)
      await markDeleted(call.tx, id)
      return { status: 204 }
    },
  })
}

function namesOf(types: z.output<typeof Types>): string[] {
  return types.map(({ name }) => name)
}
