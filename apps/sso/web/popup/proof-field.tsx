import type { PasswordInputProps } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { sendPopupCode } from '../../src/popup-wire.ts'
import { post } from '../api/post.ts'
import { CodeField } from '../page/code-field.tsx'
import { PasswordField } from '../page/password-field.tsx'
import { SendCode } from './send-code.tsx'
import { type OpenPopup, orReportError } from './use-popup.ts'

type Props = Pick<PasswordInputProps, 'value' | 'defaultValue' | 'onChange' | 'onFocus' | 'onBlur' | 'error'> & {
  popup: OpenPopup
  /** Whether the form was refused, and not for a wrong proof: the code may no longer work. */
  isRefused: boolean
  onCodeSent(): void
}

/** With which the owner of a popup authenticates again: the current password, or an emailed code without one. */
export function ProofField({ popup, isRefused, onCodeSent, ...input }: Props) {
  const { popupId, email, hasPassword, opener } = popup
  const { t } = useTranslation()
  const [isSent, setSent] = useState(false)

  async function sendCode() {
    await orReportError(opener, () => post<typeof sendPopupCode>('/sso/popups/code/', { popupId }))
    setSent(true)
    onCodeSent()
  }

  return (
    <>
      {/* For password managers, which need the account of a password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {!hasPassword && <SendCode send={sendCode} isSent={isSent} isRefused={isRefused} />}
      {hasPassword ? (
        <PasswordField label={t('field.currentPassword')} autoComplete="current-password" autoFocus {...input} />
      ) : (
        <CodeField {...input} />
      )}
    </>
  )
}
