import { type PasswordInputProps, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PasswordField } from '../page/password-field.tsx'
import { SendCode } from './send-code.tsx'

type Props = Pick<PasswordInputProps, 'value' | 'defaultValue' | 'onChange' | 'onFocus' | 'onBlur' | 'error'> & {
  email: string
  hasPassword: boolean
  onSendCode(): Promise<boolean>
}

/** What shows that a popup is the account owner's: the current password, or an emailed code without one. */
export function ProofField({ email, hasPassword, onSendCode, ...input }: Props) {
  const { t } = useTranslation()

  return (
    <>
      {/* For password managers, which need the account of a password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      {!hasPassword && <SendCode send={onSendCode} />}
      {hasPassword ? (
        <PasswordField label={t('field.currentPassword')} autoComplete="current-password" autoFocus {...input} />
      ) : (
        <TextInput label={t('field.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={7} {...input} />
      )}
    </>
  )
}
