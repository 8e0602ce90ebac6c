import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { confirmProviderPassword } from '../../src/provider-wire.ts'
import { emailCode, passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { FormFailure } from '../page/form-failure.tsx'
import { PasswordField } from '../page/password-field.tsx'
import { goOn } from '../screens/go-on.ts'
import type { IdentityFormProps } from './code-form.tsx'

/** The password of an account signs in to it, and links the provider. */
export function LinkPasswordForm({ pendingId, email, onEmail }: IdentityFormProps) {
  const { t } = useTranslation()
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { email, password: '' },
    schema: fieldSchema({ email: emailCode, password: passwordCode }),
    send: async (values) =>
      goOn(await post<typeof confirmProviderPassword>('/sso/providers/confirm-password/', { pendingId, ...values })),
  })

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <FormFailure problem={refusal} />
      <TextInput
        type="email"
        label={t('field.email')}
        autoComplete="username"
        {...form.getInputProps('email')}
        onChange={(event) => {
          form.setFieldValue('email', event.currentTarget.value)
          onEmail(event.currentTarget.value)
        }}
      />
      <PasswordField label={t('field.password')} autoComplete="current-password" {...form.getInputProps('password')} />
      <a className={classes.aside} href="/forgotten-password" target="_blank" rel="noreferrer">
        {t('signIn.forgot')}
      </a>
      <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
        {t('signIn.submit')}
      </Button>
    </form>
  )
}
