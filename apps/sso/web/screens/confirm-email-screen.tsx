import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { confirmEmail } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import { useFormCall } from '../api/use-form-call.ts'
import { linkTo, tokenInAddress } from '../page-data.ts'
import classes from '../shell/card.module.css'
import { Card } from '../shell/card.tsx'
import { FormFailure } from '../shell/form-failure.tsx'
import { SpentLink } from './spent-link.tsx'

/** A button, not the visit itself, confirms: programs that look at links in mails must not. */
export function ConfirmEmailScreen() {
  const { t } = useTranslation()
  const [token] = useState(() => tokenInAddress(location.hash))
  const [done, setDone] = useState<{ email: string; service: string | null }>()
  const form = useForm({ mode: 'uncontrolled', initialValues: {} })
  const { isBusy, problem, submit } = useFormCall({
    form,
    faults: () => ({}),
    async send() {
      setDone(await post<typeof confirmEmail>('/sso/confirm-email/', { token }))
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
    return <SpentLink href="/sign-up" label={t('spent.signUp')} />
  }
  return (
    <Card title={t('confirmEmail.title')} lead={t('confirmEmail.lead')}>
      <form className={classes.form} onSubmit={submit}>
        <FormFailure problem={problem} />
        <Button className={classes.send} type="submit" loading={isBusy} fullWidth>
          {t('confirmEmail.submit')}
        </Button>
      </form>
    </Card>
  )
}
