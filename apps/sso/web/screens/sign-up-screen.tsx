import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { signUp } from '../../src/wire.ts'
import { emailFault, faultsOf, newPasswordFault } from '../api/field-checks.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { PasswordField } from '../page/password-field.tsx'

interface Props {
  service: string | null
}

export function SignUpScreen({ service }: Props) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  // Kept while the answer shows, so that going back loses nothing but the password.
  const form = useSignUpForm()

  if (sentTo === undefined) return <SignUpForm form={form} service={service} onSent={setSentTo} />
  return (
    <Card title={t('signUp.sentTitle')} isAnswer>
      <p className={classes.text}>{t('signUp.sent', { email: sentTo })}</p>
      <p className={classes.hint}>{t('signUp.sentHint')}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setSentTo(undefined)}>
          {t('signUp.back')}
        </Button>
      </div>
    </Card>
  )
}

function useSignUpForm() {
  return useForm({ mode: 'uncontrolled', initialValues: { firstName: '', lastName: '', email: '', password: '' } })
}

interface FormProps extends Props {
  form: ReturnType<typeof useSignUpForm>
  onSent(email: string): void
}

function SignUpForm({ form, service, onSent }: FormProps) {
  const { t } = useTranslation()
  const { brandName, locale } = usePageData()
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: ({ firstName, lastName, email, password }) =>
      faultsOf({
        firstName: nameFault(firstName, 'first_name_required'),
        lastName: nameFault(lastName, 'last_name_required'),
        email: emailFault(email),
        password: newPasswordFault(password),
      }),
    async send(values) {
      await post<typeof signUp>('/sso/sign-up/', { ...values, service, locale })
      form.setFieldValue('password', '')
      onSent(values.email.trim())
    },
  })
  const field = (name: 'firstName' | 'lastName' | 'email', autoComplete: string) => (
    <TextInput
      label={t(`field.${name}`)}
      autoComplete={autoComplete}
      {...(name === 'email' && { type: 'email' })}
      {...form.getInputProps(name)}
      key={form.key(name)}
    />
  )

  return (
    <Card
      title={t('signUp.title')}
      lead={t('signUp.lead', { brand: brandName })}
      below={
        <>
          {t('signUp.haveAccount')} <a href={linkTo('/cas/login', service)}>{t('signUp.signIn')}</a>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={problem} />
        <div className={classes.pair}>
          {field('firstName', 'given-name')}
          {field('lastName', 'family-name')}
        </div>
        {field('email', 'username')}
        <PasswordField
          label={t('field.password')}
          description={t('field.passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('signUp.submit')}
        </Button>
      </form>
    </Card>
  )
}

function nameFault(name: string, required: string): string | undefined {
  if (name.trim() === '') return required
  return name.trim().length > 32 ? 'too_long' : undefined
}
