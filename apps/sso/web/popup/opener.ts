import '@atrium/ui/strict-schemas.ts'
import {
  type LinkAccountPopupMessage,
  type ResetPasswordPopupMessage,
  UserInfoMessage,
} from '@atrium/contract/popups.ts'
import type { z } from 'zod'

export type PopupMessage = z.infer<typeof ResetPasswordPopupMessage | typeof LinkAccountPopupMessage>['type']

/** The account page that opened this window (000 §2.2). */
export interface Opener {
  /** Sends a message to the account page, and to no other page that may be in that window now. */
  tell(type: PopupMessage): void
  /** Asks who the visitor is. @returns a token, or `undefined` after a timeout */
  askUserInfo(): Promise<string | undefined>
}

/** Timeout for the account page's answer. */
const timeoutMs = 15_000

/** @param origin the account page's; messages from others are ignored */
export function openerOf(here: Window, origin: string): Opener | undefined {
  const opener: unknown = here.opener
  if (!isWindow(opener)) return undefined
  const tell = (type: PopupMessage) => opener.postMessage({ type }, origin)

  return {
    tell,
    askUserInfo: () =>
      new Promise((resolve) => {
        const stop = (token?: string) => {
          here.removeEventListener('message', hear)
          clearTimeout(timer)
          resolve(token)
        }
        const hear = (event: MessageEvent) => {
          if (event.source !== opener || event.origin !== origin) return
          const parsed = UserInfoMessage.safeParse(event.data)
          if (parsed.success) stop(parsed.data.accessToken)
        }
        const timer = setTimeout(() => stop(), timeoutMs)
        here.addEventListener('message', hear)
        tell('getUserInfo')
      }),
  }
}

/** A window of another origin exposes little more than `postMessage`. */
function isWindow(value: unknown): value is Pick<Window, 'postMessage'> {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
