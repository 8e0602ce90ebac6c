import { inNameOrder } from '@atrium/ui/person-name.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageOf, signUp } from '../../src/wire.ts'
import { emailCode, newPasswordCode, requiredCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { PasswordField } from '../page/password-field.tsx'
import { ProviderButtons } from '../providers/provider-buttons.tsx'

interface Props {
  page: PageOf<'sign-up' | 'forgotten-password'>
}

export function SignUpScreen({ page }: Props) {
  const { t } = useTranslation()
  const [sentTo, setSentTo] = useState<string>()
  // Kept while the reply is shown, so that going back loses only the password.
  const parts = useSignUpForm(page, setSentTo)

  if (sentTo === undefined) return <SignUpForm parts={parts} page={page} />
  return (
    <Card title={t('signUp.sentTitle')} isAnswer>
      <p className={classes.lead}>{t('signUp.sent', { email: sentTo })}</p>
      <p className={classes.hint}>{t('signUp.sentHint')}</p>
      <div className={classes.actions}>
        <Button variant="default" onClick={() => setSentTo(undefined)}>
          {t('signUp.back')}
        </Button>
      </div>
    </Card>
  )
}

function useSignUpForm({ service, email }: Props['page'], onSent: (email: string) => void) {
  const { locale } = usePageData()
  const parts = useContractForm({
    initialValues: { firstName: '', lastName: '', email, password: '' },
    schema: fieldSchema({
      firstName: nameCode('first_name_required'),
      lastName: nameCode('last_name_required'),
      email: emailCode,
      password: newPasswordCode,
    }),
    send: (values) => post<typeof signUp>('/sso/sign-up/', { ...values, service, locale }),
    onSent(_reply, { email }) {
      parts.form.setFieldValue('password', '')
      onSent(email.trim())
    },
  })
  return parts
}

interface FormProps extends Props {
  parts: ReturnType<typeof useSignUpForm>
}

function SignUpForm({ parts: { form, isBusy, refusal, submit }, page }: FormProps) {
  const { t } = useTranslation()
  const { brandName, locale } = usePageData()
  const field = (name: 'firstName' | 'lastName' | 'email', autoComplete: string) => (
    <TextInput
      key={name}
      label={t(`field.${name}`)}
      autoComplete={autoComplete}
      {...(name === 'email' && { type: 'email' })}
      {...form.getInputProps(name)}
    />
  )

  return (
    <Card
      title={t('signUp.title')}
      lead={t('signUp.lead', { brand: brandName })}
      below={
        <>
          {t('signUp.haveAccount')} <a href={linkTo('/cas/login', page.service, page)}>{t('signUp.signIn')}</a>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <div className={classes.pair}>
          {inNameOrder(locale, field('firstName', 'given-name'), field('lastName', 'family-name'))}
        </div>
        {field('email', 'username')}
        <PasswordField
          label={t('field.password')}
          description={t('field.passwordHint')}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('signUp.submit')}
        </Button>
      </form>
      <ProviderButtons service={page.service} method={page.method} />
    </Card>
  )
}

function nameCode(required: string): (name: string) => string | undefined {
  return (name) => requiredCode(required)(name) ?? (name.trim().length > 32 ? 'too_long' : undefined)
}
