import { z } from 'zod'

/** In milliseconds: the server finds out within two minutes what became of a request. */
const continuedMs = 120_000

/**
 * Requests of one kind, each stored in the tab until its answer is there: the page may be reloaded meanwhile.
 * @param name in the storage of the tab
 * @param schema with the idempotency key
 */
export function sentRequests<Request extends { key: string }>(name: string, schema: z.ZodType<Request>) {
  const Sent = z.object({
    request: schema,
    /** When it was sent, in epoch milliseconds. */
    at: z.number(),
  })

  function sentIn(storage: Storage): z.output<typeof Sent> | undefined {
    const stored = storage.getItem(name)
    // An earlier version of the page may have stored something else.
    return stored === null ? undefined : Sent.safeParse(JSON.parse(stored)).data
  }

  return {
    store(storage: Storage, request: Request, now: number): void {
      storage.setItem(name, JSON.stringify({ request, at: now }))
    },
    /** @param key only the request with this idempotency key; without it, any */
    forget(storage: Storage, key?: string): void {
      if (key === undefined || sentIn(storage)?.request.key === key) storage.removeItem(name)
    },
    /** The request that was sent before the page was reloaded, and whose answer never came; undefined: there is none. */
    unanswered(storage: Storage, now: number): Request | undefined {
      const sent = sentIn(storage)
      return sent && now - sent.at < continuedMs ? sent.request : undefined
    },
  }
}
