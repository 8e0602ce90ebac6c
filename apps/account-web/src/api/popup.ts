import { popupSize } from '@atrium/contract/popups.ts'
import type { z } from 'zod'

interface Expected<Message> {
  /** The window that we opened. */
  popup: Pick<Window, 'closed'>
  /** Its exact origin. */
  origin: string
  schema: z.ZodType<Message>
}

interface Listening<Message> extends Expected<Message> {
  onMessage(message: Message): void
  onClosed(): void
}

/** Milliseconds; no event tells that a window of another origin was closed. */
const closedEvery = 300

/** Opens a window of 650 × 600 in the middle of ours. Call it in the click itself; `null` when the browser refuses. */
export function openPopup(url: string, name: string): Window | null {
  const left = Math.max(0, window.screenX + (window.outerWidth - popupSize.width) / 2)
  const top = Math.max(0, window.screenY + (window.outerHeight - popupSize.height) / 2)
  const features = `popup,width=${popupSize.width},height=${popupSize.height},left=${left},top=${top}`
  return window.open(url, name, features)
}

/** What a message says, if it comes from exactly that window and origin and has the right shape. */
export function acceptedMessage<Message>(
  event: Pick<MessageEvent, 'source' | 'origin' | 'data'>,
  { popup, origin, schema }: Expected<Message>,
): Message | undefined {
  if (event.source !== popup || event.origin !== origin) return undefined
  const parsed = schema.safeParse(event.data)
  return parsed.success ? parsed.data : undefined
}

/** Listens to a popup until it is closed, or until the returned function is called. */
export function listenToPopup<Message>({ onMessage, onClosed, ...expected }: Listening<Message>): () => void {
  const hear = (event: MessageEvent) => {
    const message = acceptedMessage(event, expected)
    if (message !== undefined) onMessage(message)
  }
  const timer = setInterval(() => {
    if (!expected.popup.closed) return
    stop()
    onClosed()
  }, closedEvery)
  const stop = () => {
    window.removeEventListener('message', hear)
    clearInterval(timer)
  }

  window.addEventListener('message', hear)
  return stop
}
