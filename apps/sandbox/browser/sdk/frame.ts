import * as z from 'zod/mini'
import { home } from './home.ts'

const Envelope = z.object({ channel: z.string(), message: z.unknown() })

/** How long a frame that has loaded may take to say hello, and how long any frame may take, in milliseconds. */
const patience = { afterLoad: 5000, inAll: 30_000 }

interface FrameOptions<Heard> {
  page: 'controller' | 'element' | 'challenge'
  title: string
  schema: z.ZodMiniType<Heard>
  onMessage(message: Heard): void
  /** It was reloaded, or moved in the page: it listens again, and knows nothing of what it was told. */
  onReload(): void
}

export interface Frame<Said> {
  element: HTMLIFrameElement
  /** Its name, by which its siblings find it. */
  channel: string
  /** Resolves when it listens; rejects when it does not come up. */
  ready: Promise<void>
  /** Waits until it listens. @returns whether it is there to hear it */
  post(message: Said): Promise<boolean>
  close(): void
}

/**
 * A frame of the provider, to be put into the page. Only what comes from this very frame, its origin and with its channel
 * is heard; what is said goes to that origin alone.
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
    // It was said to have failed: what comes up later is not heard any more.
    const giveUp = () => {
      over.abort()
      reject(new Error('the frame does not come up'))
    }
    const timers = [setTimeout(giveUp, patience.inAll)]
    // A page of the browser's own, in place of ours, has loaded too; it never says hello.
    element.addEventListener('load', () => {
      if (!isUp) timers.push(setTimeout(giveUp, patience.afterLoad))
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
  // Whoever waits for it hears of the failure; nobody has to wait.
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
