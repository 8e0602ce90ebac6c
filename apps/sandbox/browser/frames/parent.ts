import * as z from 'zod/mini'

/** The merchant's page, in which this frame is. */
export interface Parent<Said> {
  say(message: Said): void
}

/** Identifies this frame; assigned by the merchant's page. */
export const channel = location.hash.slice(1)

/** The only origin that may embed us, from settings. */
const merchant = document.documentElement.dataset.merchant ?? ''

const Envelope = z.object({ channel: z.literal(channel), message: z.unknown() })

/** Receives messages of the merchant's page. Its window, its origin, our channel and the schema must all match. */
export function listenToParent<Heard, Said extends { kind: string }>(
  schema: z.ZodMiniType<Heard>,
  onMessage: (message: Heard, parent: Parent<Said>) => void,
): Parent<Said> {
  const parent: Parent<Said> = {
    say: (message) => window.parent.postMessage({ channel, message }, merchant),
  }
  addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== merchant || source !== window.parent) return
    const envelope = Envelope.safeParse(data)
    const message = envelope.success ? schema.safeParse(envelope.data.message) : undefined
    if (message?.success) onMessage(message.data, parent)
  })
  return parent
}
