import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { confirmEmail } from '../../src/wire.ts'
import { faultsOf } from '../api/field-checks.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { linkTo, tokenInAddress } from '../page/page-data.ts'
import { PasswordForm } from './password-form.tsx'
import { SpentLink } from './spent-link.tsx'

/**
 * A button, not the visit itself, confirms: programs that look at links in mails must not. The password shows that the
 * sign-up was this person's own.
 */
export function ConfirmEmailScreen() {
  const { t } = useTranslation()
  const [token] = useState(() => tokenInAddress(location.hash))
  const [done, setDone] = useState<{ email: string; service: string | null }>()
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: ({ password }) => faultsOf({ password: password === '' ? 'password_required' : undefined }),
    problemFields: { wrong_chosen_password: 'password' },
    async send({ password }) {
      setDone(await post<typeof confirmEmail>('/sso/confirm-email/', { token, password }))
    },
  })

  if (done) {
    return (
      <Card title={t('confirmEmail.doneTitle')} lead={t('confirmEmail.done', { email: done.email })} isAnswer>
        <div className={classes.actions}>
          <Button component="a" href={linkTo('/cas/login', done.service)}>
            {t('signIn.submit')}
          </Button>
        </div>
      </Card>
    )
  }
  if (token === '' || (problem instanceof CallProblem && problem.code === 'link_spent')) {
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
      problem={problem}
      onSubmit={submit}
    />
  )
}
