import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { requestPasswordReset } from '../../src/wire.ts'
import { emailFault, faultsOf } from '../api/field-checks.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { linkTo, usePageData } from '../page/page-data.ts'

export function ForgottenPasswordScreen({ service }: { service: string | null }) {
  const { t } = useTranslation()
  const { locale } = usePageData()
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: ({ email }) => faultsOf({ email: emailFault(email) }),
    async send({ email }) {
      await post<typeof requestPasswordReset>('/sso/forgotten-password/', { email, locale })
      setSentTo(email.trim())
    },
  })
  const back = <a href={linkTo('/cas/login', service)}>{t('forgotten.back')}</a>

  if (sentTo !== undefined) {
    return (
      <Card title={t('forgotten.sentTitle')} below={back} isAnswer>
        <p className={classes.text}>{t('forgotten.sent', { email: sentTo })}</p>
      </Card>
    )
  }
  return (
    <Card title={t('forgotten.title')} lead={t('forgotten.lead')} below={back}>
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
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('forgotten.submit')}
        </Button>
      </form>
    </Card>
  )
}
