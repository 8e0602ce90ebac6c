import { type ComponentType, useEffect, useState } from 'react'
import { loadMessageCode, messageCode } from './message-code.ts'

/** After the content has loaded. */
const preloadAfterMs = 5000

/** Shows the messages of `success.ts`. Once per page. */
export function Messages() {
  const [Host, setHost] = useState<ComponentType>()

  useEffect(() => {
    void messageCode.then(({ MessageHost }) => setHost(() => MessageHost))
    // Preloaded: whoever loses the connection later is still told so.
    const timer = setTimeout(loadMessageCode, preloadAfterMs)
    return () => clearTimeout(timer)
  }, [])

  return Host && <Host />
}
