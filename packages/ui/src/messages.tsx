import { lazy, Suspense, useSyncExternalStore } from 'react'
import { firstMessage } from './success.ts'

const MessageHost = lazy(async () => ({ default: (await import('./message-host.tsx')).MessageHost }))

/** Shows the messages of `success.ts`, from the first one on. Once per page. */
export function Messages() {
  const isWanted = useSyncExternalStore(firstMessage.subscribe, firstMessage.hasCome)
  if (!isWanted) return null

  return (
    <Suspense fallback={null}>
      <MessageHost />
    </Suspense>
  )
}
