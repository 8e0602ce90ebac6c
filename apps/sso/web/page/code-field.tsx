import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The six digits of an email, with what is pasted along with them. */
export function CodeField(input: TextInputProps) {
  const { t } = useTranslation()
  return (
    <TextInput label={t('field.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={20} {...input} />
  )
}
