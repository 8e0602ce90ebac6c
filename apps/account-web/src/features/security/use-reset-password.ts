import { createPasswordResetToken, signOut } from '@atrium/contract/session.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { leave } from '../../api/signed-out.ts'
import { useSignOnPopup } from './use-sign-on-popup.ts'

/** Milliseconds: long enough to read that one has to sign in again. */
const readingTime = 4000

/** The popup in which the password is changed (000 §2.2). */
export function useResetPassword() {
  const { t } = useTranslation('security')
  const popup = useSignOnPopup()
  const [isDone, setDone] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  function open() {
    setProblem(undefined)
    popup.open({
      task: 'resetPassword',
      path: '/reset-password',
      createToken: () => call(createPasswordResetToken),
      onSuccess() {
        setDone(true)
        void leaveAfter(t('password.success'))
      },
      onFailure(failure) {
        if (failure === undefined) showFailure(t('password.failure'))
        else setProblem(failure)
      },
    })
  }

  return { progress: isDone ? ('done' as const) : popup.progress, problem, open }
}

/** The new password has ended every session; shows the reason, then leaves the page. */
async function leaveAfter(sentence: string) {
  leave()
  showSuccess(sentence, readingTime * 2)
  const read = new Promise((resolve) => setTimeout(resolve, readingTime))
  await Promise.allSettled([call(signOut, { body: {} }), read])
  location.assign('/')
}
