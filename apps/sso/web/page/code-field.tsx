import { TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The six digits of an email; a space in the middle may be pasted along. */
export function CodeField(input: TextInputProps) {
  const { t } = useTranslation()
  return <TextInput label={t('field.code')} inputMode="numeric" autoComplete="one-time-code" maxLength={7} {...input} />
}
