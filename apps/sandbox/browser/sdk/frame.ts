import * as z from 'zod/mini'
import { home } from './home.ts'

const Envelope = z.object({ channel: z.string(), message: z.unknown() })

/** How long a frame may take to say hello, after it has loaded and in total. */
const timeoutsMs = { afterLoad: 5000, inAll: 30_000 }

interface FrameOptions<Heard> {
  page: 'controller' | 'element' | 'challenge'
  title: string
  schema: z.ZodMiniType<Heard>
  onMessage(message: Heard): void
  /** It was reloaded, or moved in the page: it listens again, and has lost its state. */
  onReload(): void
}

export interface Frame<Said> {
  element: HTMLIFrameElement
  /** The name by which its siblings find it. */
  channel: string
  /** Resolves when it listens; rejects when it does not come up. */
  ready: Promise<void>
  /** Waits until it listens. @returns whether it does */
  post(message: Said): Promise<boolean>
  close(): void
}

/**
 * A frame of the provider, to be inserted into the page. Accepts only messages from this frame, from its origin and with
 * its channel, and sends only to that origin.
 */
export function newFrame<Said, Heard extends { kind: string }>(options: FrameOptions<Heard>): Frame<Said> {
  const channel = `provider-${crypto.randomUUID()}`
  const address = new URL(`${options.page}#${channel}`, home())
  const element = document.createElement('iframe')
  element.name = channel
  element.title = options.title
  element.src = address.href

  const over = new AbortController()
  const ready = new Promise<void>((resolve, reject) => {
    let isUp = false
    // The failure was reported, so a frame that loads later is ignored.
    const fail = () => {
      over.abort()
      reject(new Error('the frame does not come up'))
    }
    const timers = [setTimeout(fail, timeoutsMs.inAll)]
    // An error page of the browser loads too, but never says hello.
    element.addEventListener('load', () => {
      if (!isUp) timers.push(setTimeout(fail, timeoutsMs.afterLoad))
    })
    over.signal.addEventListener('abort', () => timers.forEach(clearTimeout))

    const welcome = () => {
      timers.forEach(clearTimeout)
      if (isUp) options.onReload()
      isUp = true
      resolve()
    }
    const hear = ({ origin, source, data }: MessageEvent<unknown>) => {
      if (origin !== address.origin || source === null || source !== element.contentWindow) return
      const envelope = Envelope.safeParse(data)
      if (!envelope.success || envelope.data.channel !== channel) return
      const message = options.schema.safeParse(envelope.data.message)
      if (!message.success) return
      options.onMessage(message.data)
      if (message.data.kind === 'hello') welcome()
    }
    addEventListener('message', hear, { signal: over.signal })
  })
  // A failure that nobody awaits is not an unhandled rejection.
  ready.catch(() => undefined)

  return {
    element,
    channel,
    ready,
    post(message) {
      const say = () => {
        element.contentWindow?.postMessage({ channel, message }, address.origin)
        return element.contentWindow !== null
      }
      return ready.then(say, () => false)
    },
    close() {
      over.abort()
      element.remove()
    },
  }
}
