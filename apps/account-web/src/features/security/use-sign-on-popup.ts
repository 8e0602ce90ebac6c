import { PopupMessage, type PopupTask, type UserInfoMessage } from '@atrium/contract/popups.ts'
import { useEffect, useRef, useState } from 'react'
import { listenToPopup, openPopup } from '../../api/popup.ts'
import { usePage } from '../../page/page-data.ts'

interface SignOnPopup {
  task: PopupTask
  /** Its page at the single sign-on. */
  path: string
  query?: Readonly<Record<string, string>>
  /** A one-minute token for this purpose, with which the popup knows the member. */
  createToken(): Promise<{ accessToken: string }>
  onSuccess(): void
  /** @param problem of the token, if that was it */
  onFailure(problem?: unknown): void
  /** However it ends. */
  onEnd?(): void
}

/** A popup of the single sign-on, and its messages (000 §2.2), accepted only while it is open and only from its origin. */
export function useSignOnPopup() {
  const { settings, locale } = usePage()
  const [progress, setProgress] = useState<'idle' | 'waiting' | 'blocked'>('idle')
  const stopListening = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => stopListening.current?.(), [])

  function open({ task, path, query, createToken, onSuccess, onFailure, onEnd }: SignOnPopup) {
    stopListening.current?.()
    const search = new URLSearchParams({ ...query, locale: locale.code })
    const popup = openPopup(`${settings.ssoUrl}${path}?${search}`, `atrium-${task}`)
    if (!popup) return setProgress('blocked')

    setProgress('waiting')
    const { origin } = new URL(settings.ssoUrl)
    function end() {
      stopListening.current?.()
      popup?.close()
      setProgress('idle')
      onEnd?.()
    }
    function fail(problem?: unknown) {
      end()
      onFailure(problem)
    }
    function hear({ type }: PopupMessage) {
      if (type === 'getUserInfo') void introduce(popup, { origin, createToken }).catch(fail)
      if (type === `${task}Close`) end()
      if (type === `${task}Error`) fail()
      if (type !== `${task}Success`) return
      end()
      onSuccess()
    }
    stopListening.current = listenToPopup({ popup, origin, schema: PopupMessage, onMessage: hear, onClosed: end })
  }

  return { progress, open }
}

/** Identifies the member to the popup, with a message that is sent only to its exact origin. */
async function introduce(
  popup: Pick<Window, 'postMessage'> | null,
  { origin, createToken }: { origin: string } & Pick<SignOnPopup, 'createToken'>,
) {
  const { accessToken } = await createToken()
  const message: UserInfoMessage = { type: 'userInfo', accessToken }
  popup?.postMessage(message, origin)
}
