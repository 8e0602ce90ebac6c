import * as z from 'zod/mini'
import { Answer } from '../wire/messages.ts'

interface Options {
  onAnswer(answer: Answer): void
  /** It was closed without an answer. */
  onClosed(): void
  onChange(isOpen: boolean): void
}

export interface Popup {
  /** Must be called in the click. @returns whether the browser opened it */
  open(): boolean
  /** Shows the approval page. */
  ask(subject: 'token' | 'subscription_id', id: string): void
  /** Brings it to the front. @returns whether it is open */
  focus(): boolean
  /** Closes it without an answer. */
  dismiss(): void
}

const size = { width: 520, height: 720 }

/** How often it is looked whether the popup is still open, in milliseconds. */
const rhythm = 400

const Told = z.extend(Answer, { channel: z.string() })

/** The window with the approval page. It is of the same origin as this frame, and says the answer to it alone. */
export function newPopup({ onAnswer, onClosed, onChange }: Options): Popup {
  let opened: { window: Window; channel: string; timer: ReturnType<typeof setInterval> } | undefined

  const forget = () => {
    clearInterval(opened?.timer)
    opened = undefined
    onChange(false)
  }

  // The channel names the window: one that has closed is no longer the `source` of its message.
  addEventListener('message', ({ origin, data }: MessageEvent<unknown>) => {
    if (!opened || origin !== location.origin) return
    const told = Told.safeParse(data)
    if (!told.success || told.data.channel !== opened.channel) return
    const { channel: _, ...answer } = told.data
    opened.window.close()
    forget()
    onAnswer(answer)
  })

  return {
    open() {
      const left = Math.max(0, Math.round(screenX + (outerWidth - size.width) / 2))
      const features = `popup,width=${size.width},height=${size.height},left=${left},top=${Math.max(0, screenY + 40)}`
      const popup = window.open('/paypal/sdk/loading', '_blank', features)
      if (!popup) return false
      let wasClosed = false
      const timer = setInterval(() => {
        // Its answer can still be on its way when it is first seen closed.
        if (wasClosed) {
          forget()
          onClosed()
        }
        wasClosed = popup.closed
      }, rhythm)
      opened = { window: popup, channel: crypto.randomUUID(), timer }
      onChange(true)
      return true
    },
    ask(subject, id) {
      if (!opened) return
      const query = new URLSearchParams({ [subject]: id, channel: opened.channel })
      opened.window.location.replace(`/paypal/approve?${query}`)
    },
    focus() {
      if (!opened || opened.window.closed) return false
      opened.window.focus()
      return true
    },
    dismiss() {
      opened?.window.close()
      forget()
    },
  }
}
