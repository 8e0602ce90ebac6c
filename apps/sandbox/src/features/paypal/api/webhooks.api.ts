import { z } from 'zod'
import { notificationsPath, wireWebhook } from '../events/events.wire.ts'
import { allWebhooks, createWebhook, deleteWebhook } from '../events/webhooks.writes.ts'
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
    async run(call, { body: { url, event_types: types } }) {
      const webhook = await createWebhook(call, {
        url,
        types: types.map(({ name }) => name),
      })
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
      await deleteWebhook(call, id)
      return { status: 204 }
    },
  })
}
