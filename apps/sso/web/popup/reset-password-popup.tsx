import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ChangePasswordForm } from './change-password-form.tsx'
import { Ending, Popup } from './popup-cards.tsx'
import { usePopup } from './use-popup.ts'

/** 000 §2.2: asks the account page who this is, then for the current password and a new one. */
export function ResetPasswordPopup() {
  const { t } = useTranslation()
  const state = usePopup('resetPassword')
  const [isDone, setDone] = useState(false)

  if (isDone) return <Ending title={t('popup.doneTitle')} text={t('popup.done')} />
  return (
    <Popup title={t('popup.title')} state={state}>
      {(popup) => <ChangePasswordForm popup={popup} onDone={() => setDone(true)} />}
    </Popup>
  )
}
