import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PageOf, requestPasswordReset } from '../../src/wire.ts'
import { emailCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'

export function ForgottenPasswordScreen({ page }: { page: PageOf<'sign-up' | 'forgotten-password'> }) {
  const { t } = useTranslation()
  const { locale } = usePageData()
  const [sentTo, setSentTo] = useState<string>()
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { email: page.email },
    schema: fieldSchema({ email: emailCode }),
    send: ({ email }) =>
      post<typeof requestPasswordReset>('/sso/forgotten-password/', { email, service: page.service, locale }),
    onSent: (_reply, { email }) => setSentTo(email.trim()),
  })
  const back = <a href={linkTo('/cas/login', page.service, page)}>{t('forgotten.back')}</a>

  if (sentTo !== undefined) {
    return (
      <Card title={t('forgotten.sentTitle')} below={back} isAnswer>
        <p className={classes.lead}>{t('forgotten.sent', { email: sentTo })}</p>
      </Card>
    )
  }
  return (
    <Card title={t('forgotten.title')} lead={t('forgotten.lead')} below={back}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <FormFailure problem={refusal} />
        <TextInput
          type="email"
          label={t('field.email')}
          autoComplete="username"
          autoFocus
          {...form.getInputProps('email')}
        />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('forgotten.submit')}
        </Button>
      </form>
    </Card>
  )
}
