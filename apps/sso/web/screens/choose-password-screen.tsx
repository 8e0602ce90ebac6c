import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { choosePassword } from '../../src/wire.ts'
import { faultsOf, newPasswordFault } from '../api/field-checks.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { tokenInAddress } from '../page/page-data.ts'
import { PasswordForm } from './password-form.tsx'
import { SpentLink } from './spent-link.tsx'

export function ChoosePasswordScreen() {
  const { t } = useTranslation()
  const [token] = useState(() => tokenInAddress(location.hash))
  const [isDone, setDone] = useState(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: ({ password }) => faultsOf({ password: newPasswordFault(password) }),
    async send({ password }) {
      await post<typeof choosePassword>('/sso/choose-password/', { token, password })
      setDone(true)
    },
  })

  if (isDone) {
    return (
      <Card title={t('choosePassword.doneTitle')} lead={t('choosePassword.done')} isAnswer>
        <div className={classes.actions}>
          <Button component="a" href="/cas/login">
            {t('signIn.submit')}
          </Button>
        </div>
      </Card>
    )
  }
  if (token === '' || (problem instanceof CallProblem && problem.code === 'link_spent')) {
    return (
      <SpentLink
        text={t('spent.text')}
        first={{ href: '/forgotten-password', label: t('spent.newLink') }}
        second={{ href: '/cas/login', label: t('signIn.submit') }}
      />
    )
  }
  return (
    <PasswordForm
      title={t('choosePassword.title')}
      lead={t('choosePassword.lead')}
      label={t('field.newPassword')}
      description={t('field.passwordHint')}
      autoComplete="new-password"
      submitLabel={t('choosePassword.submit')}
      form={form}
      isBusy={isBusy}
      problem={problem}
      onSubmit={submit}
    />
  )
}
