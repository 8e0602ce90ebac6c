import '@atrium/ui/strict-schemas.ts'
import { type PopupMessage, type PopupOutcome, type PopupTask, UserInfoMessage } from '@atrium/contract/popups.ts'

/** The account page that opened this window (000 §2.2). */
export interface Opener {
  /** Reports how the task ended to the account page, and to no other page that may be in that window now. */
  report(outcome: PopupOutcome): void
  /** Asks who the visitor is. @returns a token, or `undefined` after a timeout */
  askUserInfo(): Promise<string | undefined>
}

/** Timeout for the account page's answer. */
const timeoutMs = 15_000

interface Task {
  task: PopupTask
  /** The account page's; messages from others are ignored. */
  origin: string
}

export function openerOf(here: Window, { task, origin }: Task): Opener | undefined {
  const opener: unknown = here.opener
  if (!isWindow(opener)) return undefined
  const send = (message: PopupMessage) => opener.postMessage(message, origin)

  return {
    report: (outcome) => send({ type: `${task}${outcome}` }),
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
        send({ type: 'getUserInfo' })
      }),
  }
}

/** A window of another origin exposes little more than `postMessage`. */
function isWindow(value: unknown): value is Pick<Window, 'postMessage'> {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
