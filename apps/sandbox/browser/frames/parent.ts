import * as z from 'zod/mini'

/** The merchant's page around this frame. */
export interface Parent<Said> {
  say(message: Said): void
}

/** Ours alone, of all frames: the merchant's page gave it. */
export const channel = location.hash.slice(1)

/** The one origin that may stand around us, from settings. */
const merchant = document.documentElement.dataset.merchant ?? ''

const Envelope = z.object({ channel: z.literal(channel), message: z.unknown() })

/** Hears the merchant's page: its window, its origin, our channel, and nothing that does not fit the schema. */
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
