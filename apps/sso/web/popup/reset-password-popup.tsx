import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { usePopup } from './use-popup.ts'

/** 000 §2.2: asks the account page who this is, then for the current password and a new one. */
export function ResetPasswordPopup() {
  const { t } = useTranslation()
  const state = usePopup()
  const [isDone, setDone] = useState(false)

  if (isDone) return <Ending title={t('popup.doneTitle')} text={t('popup.done')} />
  switch (state.step) {
    case 'connecting':
      return (
        <Card title={t('popup.title')}>
          <p className={classes.text} role="status">
            {t('popup.connecting')}
          </p>
        </Card>
      )
    case 'no-opener':
      return <Ending title={t('popup.noOpenerTitle')} text={t('popup.noOpener')} />
    case 'failed':
      return <Ending title={t('popup.failedTitle')} text={t('popup.failed')} problem={state.problem} />
    case 'open':
      return <ChangePasswordForm popup={state.popup} opener={state.opener} onDone={() => setDone(true)} />
  }
}

interface EndingProps {
  title: string
  text: string
  problem?: unknown
}

function Ending({ title, text, problem }: EndingProps) {
  const { t } = useTranslation()

  return (
    <Card title={title} isAnswer>
      <p className={classes.text}>{text}</p>
      {problem !== undefined && (
        <div className={classes.form}>
          <FormFailure problem={problem} />
        </div>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={() => window.close()}>
          {t('popup.close')}
        </Button>
      </div>
    </Card>
  )
}
