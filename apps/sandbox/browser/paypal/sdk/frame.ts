import * as z from 'zod/mini'
import { setStyles } from '../../sdk/style.ts'
import { FromButton, type ToButton } from '../wire/messages.ts'
import { parameters } from './parameters.ts'

const Envelope = z.object({ channel: z.string(), message: z.unknown() })

/** How long the frame may take to say hello, after it has loaded and in total. */
const timeoutsMs = { afterLoad: 5000, inAll: 30_000 }

/** Space for the focus ring around the button. The frame's page has the same padding. */
const ringWidth = 4

interface Options {
  height: number
  hasMaxWidth: boolean
  onMessage(message: FromButton): void
}

export interface ButtonFrame {
  element: HTMLIFrameElement
  post(message: ToButton): void
  /** Resolves when the button can be used; rejects when the frame does not come up. */
  ready: Promise<void>
  close(): void
}

/** The button in a frame of the provider. Only messages of this frame, its origin and its channel count. */
export function newButtonFrame({ height, hasMaxWidth, onMessage }: Options): ButtonFrame {
  const channel = `paypal-${crypto.randomUUID()}`
  const element = document.createElement('iframe')
  element.name = channel
  element.title = 'PayPal'
  element.allow = 'payment'
  element.src = `${parameters.origin}/paypal/sdk/button#${channel}`
  setStyles(element, {
    ...plain,
    height: `${height + 2 * ringWidth}px`,
    'max-width': hasMaxWidth ? `${750 + 2 * ringWidth}px` : 'none',
  })

  const over = new AbortController()
  const ready = new Promise<void>((resolve, reject) => {
    const fail = () => {
      over.abort()
      reject(new Error('The PayPal button could not be loaded.'))
    }
    const timers = [setTimeout(fail, timeoutsMs.inAll)]
    // An error page of the browser loads too, but never says hello.
    element.addEventListener('load', () => timers.push(setTimeout(fail, timeoutsMs.afterLoad)))
    over.signal.addEventListener('abort', () => timers.forEach(clearTimeout))
    const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== parameters.origin || source === null || source !== element.contentWindow) return
      const envelope = Envelope.safeParse(data)
      if (!envelope.success || envelope.data.channel !== channel) return
      const message = FromButton.safeParse(envelope.data.message)
      if (!message.success) return
      onMessage(message.data)
      if (message.data.kind !== 'ready') return
      timers.forEach(clearTimeout)
      resolve()
    }
    addEventListener('message', hear, { signal: over.signal })
  })
  // A failure that nobody awaits is not an unhandled rejection.
  ready.catch(() => undefined)

  return {
    element,
    ready,
    post: (message) => element.contentWindow?.postMessage({ channel, message }, parameters.origin),
    close() {
      over.abort()
      element.remove()
    },
  }
}

const plain = {
  display: 'block',
  width: `calc(100% + ${2 * ringWidth}px)`,
  'min-width': '150px',
  margin: `-${ringWidth}px`,
  padding: '0',
  border: '0',
  // A frame with another color scheme than its page gets an opaque background.
  'color-scheme': 'light only',
}
