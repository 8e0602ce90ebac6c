import { SignedOutMessage, signOutChannel } from '@atrium/contract/popups.ts'
import type { z } from 'zod'

const message: z.input<typeof SignedOutMessage> = { type: 'signedOut' }

/**
 * Between the tabs of one browser: a sign-out in one signs out the others. Call `publish` when the page unloads: by then the
 * single sign-on has ended its session too, and would not sign the others in again.
 */
export function openSignOutChannel(onSignedOut: () => void) {
  const channel = new BroadcastChannel(signOutChannel)
  channel.onmessage = ({ data }) => {
    if (SignedOutMessage.safeParse(data).success) onSignedOut()
  }
  // A channel does not receive its own messages.
  return { publish: () => channel.postMessage(message), close: () => channel.close() }
}
