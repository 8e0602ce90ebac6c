import { z } from 'zod'
import { notificationsPath, wireWebhook } from '../events/events.wire.ts'
import { allWebhooks, createWebhook, webhookById } from '../events/webhooks.writes.ts'
import { markDeleted } from '../store/store.ts'
import { type Api, noQuery } from '../wire/api.ts'
import { text, webAddress } from '../wire/fields.rules.ts'

const path = `${notificationsPath}/webhooks`

const Types = z
  .array(z.object({ name: text(100) }))
  .min(1)
  .max(100)

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
