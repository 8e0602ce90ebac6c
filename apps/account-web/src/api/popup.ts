import { popupSize } from '@atrium/contract/popups.ts'
import type { z } from 'zod'

interface Expected<Message> {
  /** The opened window. */
  popup: Pick<Window, 'closed'>
  /** Its exact origin. */
  origin: string
  schema: z.ZodType<Message>
}

interface Listening<Message> extends Expected<Message> {
  onMessage(message: Message): void
  onClosed(): void
}

/** Polling interval in milliseconds: there is no event for the closing of a window of another origin. */
const closedCheckMs = 300

/** Opens a centered window of 650 × 600. Call it directly in the click handler; `null` if the browser blocks it. */
export function openPopup(url: string, name: string): Window | null {
  const left = Math.max(0, window.screenX + (window.outerWidth - popupSize.width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - popupSize.height) / 2)
  const features = `popup,width=${popupSize.width},height=${popupSize.height},left=${left},top=${top}`
  return window.open(url, name, features)
}

/** The content of a message that has the right shape and comes from exactly that window and origin. */
export function acceptedMessage<Message>(
  event: Pick<MessageEvent, 'source' | 'origin' | 'data'>,
  { popup, origin, schema }: Expected<Message>,
): Message | undefined {
  if (event.source !== popup || event.origin !== origin) return undefined
  const parsed = schema.safeParse(event.data)
  return parsed.success ? parsed.data : undefined
}

/** Listens to a popup until it is closed or the returned function is called. */
export function listenToPopup<Message>({ onMessage, onClosed, ...expected }: Listening<Message>): () => void {
  const receive = (event: MessageEvent) => {
    const message = acceptedMessage(event, expected)
    if (message !== undefined) onMessage(message)
  }
  const timer = setInterval(() => {
    if (!expected.popup.closed) return
    stop()
    onClosed()
  }, closedCheckMs)
  const stop = () => {
    window.removeEventListener('message', receive)
    clearInterval(timer)
  }

  window.addEventListener('message', receive)
  return stop
}
