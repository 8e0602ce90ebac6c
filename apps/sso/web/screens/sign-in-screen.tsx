import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PageOf, signIn } from '../../src/wire.ts'
import { passwordCode, requiredCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'
import { PasswordField } from '../page/password-field.tsx'
import { ProviderButtons } from '../providers/provider-buttons.tsx'
import { goOn } from './go-on.ts'
import { ProgramNote } from './program-note.tsx'

export function SignInScreen({ page }: { page: PageOf<'sign-in'> }) {
  const { t } = useTranslation()
  const { brandName, locale } = usePageData()
  const { service, method } = page
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { email: page.email, password: '' },
    schema: fieldSchema({ email: requiredCode('email_required'), password: passwordCode }),
    send: async (values) => goOn(await post<typeof signIn>('/sso/sign-in/', { ...values, service, method, locale })),
  })
  const typed = { ...page, email: form.values.email }

  return (
    <Card
      title={t('signIn.title')}
      lead={t('signIn.lead', { brand: brandName })}
      below={
        <>
          {t('signIn.noAccount', { brand: brandName })}{' '}
          <a href={linkTo('/sign-up', service, typed)}>{t('signIn.create')}</a>
        </>
      }
    >
      <form className={classes.form} onSubmit={submit} noValidate>
        <ProgramNote program={page.program} />
        <FormFailure problem={refusal} />
        <TextInput
          type="email"
          label={t('field.email')}
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <PasswordField
          label={t('field.password')}
          autoComplete="current-password"
          {...form.getInputProps('password')}
        />
        <a className={classes.aside} href={linkTo('/forgotten-password', service, typed)}>
          {t('signIn.forgot')}
        </a>
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('signIn.submit')}
        </Button>
      </form>
      {!page.renew && <ProviderButtons service={service} method={method} />}
    </Card>
  )
}
