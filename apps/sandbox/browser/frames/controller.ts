import { type Collected, type FromController, type Parameters, type Request, ToController } from '../wire/messages.ts'
import { callApi, type Reply } from './api.ts'
import { listenToParent } from './parent.ts'
import { collectFrom } from './siblings.ts'

/** The hidden frame: calls the API for the merchant's page, with card data which that page never sees. */
export function startController(): void {
  const parent = listenToParent<ToController, FromController>(ToController, async (message) => {
    const { id, key, locale, request } = message
    parent.say({ kind: 'answer', id, reply: await answerTo(request, { key, locale }) })
  })
  parent.say({ kind: 'hello' })
}

async function answerTo({ card, ...request }: Request, caller: { key: string; locale: string }): Promise<Reply> {
  if (!card) return callApi({ ...request, ...caller })
  try {
    const collected = await Promise.all(card.frames.map(collectFrom))
    const parameters = withCard(request.parameters, { at: card.at, collected })
    return await callApi({ ...request, ...caller, parameters })
  } catch {
    const message = 'We could not retrieve data from the specified Element. Please make sure it is still mounted.'
    return { error: { type: 'invalid_request_error', message } }
  }
}

interface Given {
  at: '' | 'payment_method_data'
  collected: Collected[]
}

/** What the customer typed takes precedence over the merchant's values. */
function withCard(parameters: Parameters, { at, collected }: Given): Parameters {
  const outer = at === '' ? parameters : innerOf(parameters, at)
  const details = innerOf(outer, 'billing_details')
  const card: Parameters = Object.fromEntries(collected.flatMap((part) => Object.entries(part.card)))
  const typed: Parameters = Object.fromEntries(collected.flatMap((part) => Object.entries(part.address)))
  const method: Parameters = {
    ...outer,
    ...(collected.length > 0 && { card }),
    ...(Object.keys(typed).length > 0 && {
      billing_details: { ...details, address: { ...innerOf(details, 'address'), ...typed } },
    }),
  }
  return at === '' ? method : { ...parameters, [at]: method }
}

function innerOf(parameters: Parameters, name: string): Parameters {
  const inner = parameters[name]
  return typeof inner === 'object' && inner !== null ? inner : {}
}
