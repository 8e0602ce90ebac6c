import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { openPopup } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { Connecting, Ending } from './popup-cards.tsx'
import { usePopup } from './use-popup.ts'

const open = (accessToken: string) => post<typeof openPopup>('/sso/reset-password/open/', { accessToken })

/** 000 §2.2: asks the account page who this is, then for the current password and a new one. */
export function ResetPasswordPopup() {
  const { t } = useTranslation()
  const state = usePopup(open, 'resetPasswordError')
  const [isDone, setDone] = useState(false)

  if (isDone) return <Ending title={t('popup.doneTitle')} text={t('popup.done')} />
  switch (state.step) {
    case 'connecting':
      return <Connecting title={t('popup.title')} />
    case 'no-opener':
      return <Ending title={t('popup.noOpenerTitle')} text={t('popup.noOpener')} />
    case 'failed':
      return <Ending title={t('popup.failedTitle')} text={t('popup.failed')} problem={state.problem} />
    case 'open':
      return <ChangePasswordForm popup={state.popup} opener={state.opener} onDone={() => setDone(true)} />
  }
}
