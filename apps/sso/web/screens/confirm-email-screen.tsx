import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { confirmEmail } from '../../src/wire.ts'
import { passwordCode } from '../api/field-checks.ts'
import { fieldSchema } from '../api/field-schema.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { linkTo, tokenInAddress } from '../page/page-data.ts'
import { PasswordForm } from './password-form.tsx'
import { SpentLink } from './spent-link.tsx'

/**
 * The visit alone does not confirm, because mail scanners follow links. The password proves that this person signed up.
 */
export function ConfirmEmailScreen() {
  const { t } = useTranslation()
  const [token] = useState(() => tokenInAddress(location.hash))
  const [done, setDone] = useState<{ email: string; service: string | null }>()
  const { form, isBusy, refusal, submit } = useContractForm({
    initialValues: { password: '' },
    schema: fieldSchema({ password: passwordCode }),
    problemFields: { wrong_chosen_password: 'password' },
    send: ({ password }) => post<typeof confirmEmail>('/sso/confirm-email/', { token, password }),
    onSent: setDone,
  })

  if (done) {
    return (
      <Card title={t('confirmEmail.doneTitle')} lead={t('confirmEmail.done', { email: done.email })} isAnswer>
        <div className={classes.actions}>
          <Button component="a" href={linkTo('/cas/login', done.service, { email: done.email })}>
            {t('signIn.submit')}
          </Button>
        </div>
      </Card>
    )
  }
  if (token === '' || (refusal instanceof CallProblem && refusal.code === 'link_spent')) {
    return (
      <SpentLink
        text={t('spent.confirmText')}
        first={{ href: '/cas/login', label: t('signIn.submit') }}
        second={{ href: '/sign-up', label: t('spent.signUp') }}
      />
    )
  }
  return (
    <PasswordForm
      title={t('confirmEmail.title')}
      lead={t('confirmEmail.lead')}
      label={t('field.password')}
      description={t('confirmEmail.passwordHint')}
      autoComplete="current-password"
      submitLabel={t('confirmEmail.submit')}
      form={form}
      isBusy={isBusy}
      refusal={refusal}
      onSubmit={submit}
    />
  )
}
