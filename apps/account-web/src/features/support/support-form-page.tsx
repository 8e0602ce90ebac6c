import { supportLimits, supportPath } from '@atrium/contract/support-sessions.ts'
import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button, Textarea, TextInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from '../../page/standalone-page.module.css'
import { useSupportForm } from './use-support-form.ts'

interface Props {
  brandName: string
  agentName: string
}

/** A support agent says whose account they need to see, and why. */
export function SupportFormPage({ brandName, agentName }: Props) {
  const { t } = useTranslation('support')
  const { form, submit, refusal, isBusy } = useSupportForm()
  useDocumentTitle(`${t('title')} · ${brandName}`)
  const required = { withAsterisk: true, 'aria-required': true, autoComplete: 'off' } as const

  return (
    <main className={classes.page}>
      <BrandMark name={brandName} />
      <div className={classes.card}>
        <h1>{t('title')}</h1>
        <p>{t('lead')}</p>
        <p className={classes.note}>{t('agent', { agent: agentName })}</p>
        {refusal !== undefined && <Refusal problem={refusal} />}
        <form onSubmit={submit} noValidate className={classes.fields}>
          <TextInput
            label={t('email')}
            type="email"
            inputMode="email"
            spellCheck={false}
            {...required}
            {...form.getInputProps('email')}
          />
          <Textarea
            label={t('reason')}
            description={t('reasonHint')}
            rows={3}
            maxLength={supportLimits.reason}
            {...required}
            {...form.getInputProps('reason')}
          />
          <TextInput
            label={t('ticket')}
            maxLength={supportLimits.ticket}
            spellCheck={false}
            {...required}
            {...form.getInputProps('ticket')}
          />
          <Button type="submit" loading={isBusy}>
            {t('start')}
          </Button>
        </form>
      </div>
    </main>
  )
}

/** A new sign-in counts for this tab too, so that what was typed need not be lost. */
function Refusal({ problem }: { problem: unknown }) {
  const { t } = useTranslation('support')
  const isSignedOut = problem instanceof CallProblem && problem.code === 'signed_out'
  if (!isSignedOut) return <InlineFailure problem={problem} />

  const action = (
    <Button component="a" href={supportPath} target="_blank" rel="noopener" variant="default">
      {t('signInAgain')}
    </Button>
  )
  return (
    <div role="alert">
      <Notice tone="warning" action={action}>
        {t('signedOut')}
      </Notice>
    </div>
  )
}
