import { Collected, CollectRequest } from '../wire/messages.ts'
import { channel } from './parent.ts'

const timeoutMs = 5000

/**
 * Reads the values of another of our frames in the same page, through a port between our own origins that the merchant's
 * page never gets.
 */
export function collectFrom(siblingChannel: string): Promise<Collected> {
  const sibling = siblingNamed(siblingChannel)
  if (!sibling) return Promise.reject(new Error('the frame is gone'))
  const { port1: port, port2: theirs } = new MessageChannel()
  return new Promise<Collected>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the frame does not answer')), timeoutMs)
    port.onmessage = ({ data }: MessageEvent<unknown>) => {
      clearTimeout(timer)
      port.close()
      const collected = Collected.safeParse(data)
      if (collected.success) resolve(collected.data)
      else reject(new Error('the frame makes no sense'))
    }
    sibling.postMessage({ kind: 'collect', channel: siblingChannel }, location.origin, [theirs])
  })
}

/** Answers requests of siblings, and of nobody else, for the values of this frame. */
export function answerSiblings(collect: () => Collected): void {
  addEventListener('message', ({ origin, source, data, ports }: MessageEvent<unknown>) => {
    if (origin !== location.origin || source === window.parent) return
    const request = CollectRequest.safeParse(data)
    if (request.success && request.data.channel === channel) ports[0]?.postMessage(collect())
  })
}

function siblingNamed(name: string): Window | undefined {
  for (let place = 0; place < window.parent.length; place += 1) {
    const frame = window.parent[place]
    if (frame && nameOf(frame) === name) return frame
  }
  return undefined
}

/** The name of a frame of another origin cannot be read. */
function nameOf(frame: Window): string | undefined {
  try {
    return frame.name
  } catch {
    return undefined
  }
}
