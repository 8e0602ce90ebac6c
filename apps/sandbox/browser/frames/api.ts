import type { StripeError } from '@stripe/stripe-js'
import * as z from 'zod/mini'
import { textsOf } from '../texts/texts.ts'
import type { Parameters } from '../wire/messages.ts'

const timeoutMs = 35_000

export type Reply = Record<string, unknown>

interface ApiCall {
  method: 'GET' | 'POST'
  path: string
  parameters: Parameters
  /** The publishable key. */
  key: string
  locale: string
}

const Json = z.record(z.string(), z.unknown())

/** Calls the provider's API on our own origin. A failed or invalid reply becomes an `error` too. */
export async function callApi({ method, path, parameters, key, locale }: ApiCall): Promise<Reply> {
  const form = formOf({ ...parameters, key })
  const isGet = method === 'GET'
  const unreachable = { type: 'api_connection_error', message: textsOf(locale).connection } satisfies StripeError
  try {
    const response = await fetch(isGet ? `${path}?${form}` : path, {
      method,
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
      ...(!isGet && { body: form }),
    })
    const reply = Json.safeParse(await response.json().catch(() => undefined))
    return reply.success ? reply.data : { error: unreachable }
  } catch {
    return { error: unreachable }
  }
}

/** `{ card: { cvc: '123' } }` → `card[cvc]=123`. Null unsets a value; undefined is left out. */
export function formOf(parameters: Parameters): URLSearchParams {
  const form = new URLSearchParams()
  const add = (inner: Parameters, nameOf: (name: string) => string) => {
    for (const [name, value] of Object.entries(inner)) {
      if (typeof value === 'object' && value !== null) add(value, (deeper) => `${nameOf(name)}[${deeper}]`)
      else if (value !== undefined) form.append(nameOf(name), value === null ? '' : String(value))
    }
  }
  add(parameters, (name) => name)
  return form
}
