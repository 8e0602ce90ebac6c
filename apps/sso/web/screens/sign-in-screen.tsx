import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { PageOf, signIn } from '../../src/wire.ts'
import { faultsOf } from '../api/field-checks.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { PasswordField } from '../page/password-field.tsx'
import { goOn } from './go-on.ts'

export function SignInScreen({ page }: { page: PageOf<'sign-in'> }) {
  const { t } = useTranslation()
  const { brandName, locale } = usePageData()
  const { service, method } = page
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: page.email, password: '' } })
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: ({ email, password }) =>
      faultsOf({
        email: email.trim() === '' ? 'email_required' : undefined,
        password: password === '' ? 'password_required' : undefined,
      }),
    send: async (values) => goOn(await post<typeof signIn>('/sso/sign-in/', { ...values, service, method, locale })),
  })

  return (
    <Card
      title={t('signIn.title')}
      lead={t('signIn.lead', { brand: brandName })}
      below={
        <>
          {t('signIn.noAccount', { brand: brandName })} <a href={linkTo('/sign-up', service)}>{t('signIn.create')}</a>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={problem} />
        <TextInput
          type="email"
          label={t('field.email')}
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
          key={form.key('email')}
        />
        <PasswordField
          label={t('field.password')}
          autoComplete="current-password"
          {...form.getInputProps('password')}
          key={form.key('password')}
        />
        <a className={classes.aside} href={linkTo('/forgotten-password', service)}>
          {t('signIn.forgot')}
        </a>
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('signIn.submit')}
        </Button>
      </form>
    </Card>
  )
}
