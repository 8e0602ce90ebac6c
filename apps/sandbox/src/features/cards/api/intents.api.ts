import { giveUpParameters } from '../intents/intents.parameters.ts'
import { isAsked, refuseForeignSecret } from '../intents/intents.rules.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import type { StoredOf } from '../store/stored.ts'
import { text } from '../wire/parameters.rules.ts'

interface Kinds {
  setup_intent: StoredOf<'setup_intent'>
  payment_intent: StoredOf<'payment_intent'>
}

interface Served<K extends keyof Kinds> {
  /** Of the kind, below `/v1`. */
  path: string
  /** @throws Refusal if it does not exist */
  find(call: Call, id: string): Promise<Kinds[K]>
  answer(call: Call, stored: Kinds[K], isAuthenticated: boolean): Promise<object>
  forBrowsers(intent: Kinds[K]['object'], result: object): object
}

/** Calls of a browser for both kinds of intent, by their client secret: read it, and close the bank's question. */
export function serveIntents<K extends keyof Kinds>(api: Api, { path, find, answer, forBrowsers }: Served<K>): void {
  api.serve({
    method: 'GET',
    path: `${path}/:id`,
    takes: { client_secret: text().optional() },
    forBrowsers: ['client_secret'],
    async run(call, { client_secret }, { id }) {
      const { object } = await find(call, id)
      refuseForeignSecret(object, call.access, client_secret)
      return call.access === 'secret' ? object : forBrowsers(object, object)
    },
  })

  api.serve({
    method: 'POST',
    path: `${path}/:id/source_cancel`,
    takes: giveUpParameters,
    forBrowsers: ['client_secret', 'source'],
    async run(call, { client_secret, source }, { id }) {
      const stored = await find(call, id)
      refuseForeignSecret(stored.object, call.access, client_secret)
      if (isAsked(stored.hidden.challenge, source)) await answer(call, stored, false)
      const { object } = await find(call, id)
      return call.access === 'secret' ? object : forBrowsers(object, object)
    },
  })
}
