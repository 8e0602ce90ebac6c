import { CallProblem } from '@atrium/ui/call-problem.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { continueToProgram, PageOf } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { usePageData } from '../page/page-data.ts'
import { goOn } from './go-on.ts'

/** Who is signed in decides whether a program on their machine is signed in too. */
export function ProgramScreen({ page }: { page: PageOf<'program'> }) {
  const { t } = useTranslation()
  const { accountUrl } = usePageData()
  const { service, method, email, program } = page
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  async function signIn() {
    setBusy(true)
    setProblem(undefined)
    try {
      await goOn(await post<typeof continueToProgram>('/sso/programs/continue/', { service, method }))
    } catch (failure) {
      // The same address asks for the password then.
      if (failure instanceof CallProblem && failure.code === 'signed_out') return location.reload()
      setBusy(false)
      setProblem(failure)
    }
  }

  return (
    <Card title={t('program.title')} lead={t('program.lead', { address: program, email })}>
      <div className={classes.form}>
        <FormFailure problem={problem} />
        <p>{t('program.warning')}</p>
      </div>
      <div className={classes.actions}>
        <Button loading={isBusy} onClick={() => void signIn()}>
          {t('program.submit')}
        </Button>
        <Button component="a" href={`${accountUrl}/account`} variant="default">
          {t('popup.cancel')}
        </Button>
      </div>
    </Card>
  )
}
