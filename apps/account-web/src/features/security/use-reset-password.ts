import { ResetPasswordPopupMessage, type UserInfoMessage } from '@atrium/contract/popups.ts'
import { createPasswordResetToken, signOut } from '@atrium/contract/session.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { listenToPopup, openPopup } from '../../api/popup.ts'
import { leave } from '../../api/signed-out.ts'
import { usePage } from '../../page/page-data.ts'

type Progress = 'idle' | 'waiting' | 'blocked' | 'done'

/** Milliseconds: long enough to read that one has to sign in again. */
const readingTime = 4000

/** The reset-password popup and its messages (000 §2.2), accepted only while it is open and only from its origin. */
export function useResetPassword() {
  const { t } = useTranslation('security')
  const { settings, locale } = usePage()
  const [progress, setProgress] = useState<Progress>('idle')
  const [problem, setProblem] = useState<unknown>()
  const stopListening = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => stopListening.current?.(), [])

  function open() {
    stopListening.current?.()
    setProblem(undefined)
    const popup = openPopup(`${settings.ssoUrl}/reset-password?locale=${locale.code}`, 'atrium-reset-password')
    if (!popup) return setProgress('blocked')

    setProgress('waiting')
    const { origin } = new URL(settings.ssoUrl)
    const end = (next: Progress) => {
      stopListening.current?.()
      popup.close()
      setProgress(next)
    }
    const answers = {
      getUserInfo() {
        introduce(popup, origin).catch((failure) => {
          setProblem(failure)
          end('idle')
        })
      },
      resetPasswordSuccess() {
        end('done')
        void leaveAfter(t('password.success'))
      },
      resetPasswordError() {
        end('idle')
        showFailure(t('password.failure'))
      },
      resetPasswordClose: () => end('idle'),
    }
    stopListening.current = listenToPopup({
      popup,
      origin,
      schema: ResetPasswordPopupMessage,
      onMessage: ({ type }) => answers[type](),
      onClosed: () => setProgress('idle'),
    })
  }

  return { progress, problem, open }
}

/** Identifies the member to the popup with a one-minute token for this purpose, sent only to its exact origin. */
async function introduce(popup: Window, origin: string) {
  const { accessToken } = await call(createPasswordResetToken)
  const message: UserInfoMessage = { type: 'userInfo', accessToken }
  popup.postMessage(message, origin)
}

/** The new password has ended every session; shows the reason, then leaves the page. */
async function leaveAfter(sentence: string) {
  leave()
  showSuccess(sentence, readingTime * 2)
  const read = new Promise((resolve) => setTimeout(resolve, readingTime))
  await Promise.allSettled([call(signOut, { body: {} }), read])
  location.assign('/')
}
