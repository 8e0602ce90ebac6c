import { lazy, Suspense, useSyncExternalStore } from 'react'
import { firstMessage } from './success.ts'

const MessageHost = lazy(async () => ({ default: (await import('./message-host.tsx')).MessageHost }))

/** Where the messages of `success.ts` appear, from the first one on. Once a page. */
export function Messages() {
  const isWanted = useSyncExternalStore(firstMessage.subscribe, firstMessage.hasCome)
  if (!isWanted) return null

  return (
    <Suspense fallback={null}>
      <MessageHost />
    </Suspense>
  )
}
