import { type ComponentType, useEffect, useState } from 'react'
import { loadMessageCode, messageCode, nextChance } from './message-code.ts'

/** Shows the messages of `success.ts`. Once per page. */
export function Messages() {
  const [Host, setHost] = useState<ComponentType>()

  useEffect(() => {
    void messageCode.then(({ MessageHost }) => setHost(() => MessageHost))
    // No page needs it at first; whoever loses the connection later is still told so.
    void nextChance().then(loadMessageCode)
  }, [])

  return Host && <Host />
}
