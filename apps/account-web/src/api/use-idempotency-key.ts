import { useState } from 'react'

/**
 * The idempotency key of a form or dialog: generated when it opens and sent with every retry, so that a request whose answer
 * was lost takes effect once. Call `renew` after a refusal: what follows is a different request.
 */
export function useIdempotencyKey() {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renew: () => setKey(crypto.randomUUID()) }
}
