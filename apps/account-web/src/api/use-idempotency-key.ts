import { useState } from 'react'

/**
 * The idempotency key of a form or dialog: made when it opens and sent with every try, so that a try whose answer was lost
 * is not carried out twice. `renew` when the last one was refused: what is sent next is another request.
 */
export function useIdempotencyKey() {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renew: () => setKey(crypto.randomUUID()) }
}
