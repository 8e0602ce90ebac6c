import { CallProblem } from '@atrium/ui/call-problem.ts'
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
  /** For what the form was refused, other than a wrong proof. */
  refusal: unknown
  onCodeSent(): void
}

/** With which the owner of a popup authenticates again: the current password, or an emailed code without one. */
export function ProofField({ popup, refusal, onCodeSent, ...input }: Props) {
  const { popupId, email, hasPassword, opener } = popup
  const { t } = useTranslation()
  const [code, setCode] = useState<'none' | 'sent' | 'spent'>(popup.isCodeSent ? 'sent' : 'none')
  // It stays spent when the form is refused for something else.
  if (code === 'sent' && refusal instanceof CallProblem && refusal.code === 'code_spent') setCode('spent')

  async function sendCode() {
    await orReportError(opener, () => post<typeof sendPopupCode>('/sso/popups/code/', { popupId }))
    setCode('sent')
    onCodeSent()
  }

  return (
    <>
      {/* For password managers, which need the account of a password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {!hasPassword && (
        <SendCode send={sendCode} isSent={code !== 'none'} isRefused={code === 'spent' || refusal !== undefined} />
      )}
      {hasPassword ? (
        <PasswordField label={t('field.currentPassword')} autoComplete="current-password" autoFocus {...input} />
      ) : (
        <CodeField {...input} />
      )}
    </>
  )
}
