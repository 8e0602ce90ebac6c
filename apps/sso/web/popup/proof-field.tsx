import type { PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { sendPopupCode } from '../../src/popup-wire.ts'
import { post } from '../api/post.ts'
import { CodeField } from '../page/code-field.tsx'
import { PasswordField } from '../page/password-field.tsx'
import { SendCode } from './send-code.tsx'
import { type OpenPopup, orReportError } from './use-popup.ts'

type Props = Pick<PasswordInputProps, 'value' | 'defaultValue' | 'onChange' | 'onFocus' | 'onBlur' | 'error'> & {
  popup: OpenPopup
}

/** With which the owner of a popup authenticates again: the current password, or an emailed code without one. */
export function ProofField({ popup: { popupId, email, hasPassword, opener }, ...input }: Props) {
  const { t } = useTranslation()

  async function sendCode() {
    await orReportError(opener, () => post<typeof sendPopupCode>('/sso/popups/code/', { popupId }))
    return true
  }

  return (
    <>
      {/* For password managers, which need the account of a password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {!hasPassword && <SendCode send={sendCode} />}
      {hasPassword ? (
        <PasswordField label={t('field.currentPassword')} autoComplete="current-password" autoFocus {...input} />
      ) : (
        <CodeField {...input} />
      )}
    </>
  )
}
