import { useState } from 'react'

/**
 * A key for one act of the person who is looking: made when a dialog opens, sent with every try, so that a try whose
 * answer was lost is not done twice. `renew` begins another act in the same dialog, when the last one was refused.
 */
export function useActKey() {
  const [key, setKey] = useState(() => crypto.randomUUID())
  return { key, renew: () => setKey(crypto.randomUUID()) }
}
