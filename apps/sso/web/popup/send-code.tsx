import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { sendPopupCode } from '../../src/wire.ts'
import { post } from '../api/post.ts'
import classes from '../page/card.module.css'
import { FormFailure } from '../page/form-failure.tsx'
import { isFinal } from './use-popup.ts'

interface Props {
  popupId: string
  onFinal(): void
}

/** For an account without a password: an emailed code proves that it is theirs. */
export function SendCode({ popupId, onFinal }: Props) {
  const { t } = useTranslation()
  const [progress, setProgress] = useState<'idle' | 'busy' | 'sent'>('idle')
  const [problem, setProblem] = useState<unknown>()

  async function send() {
    const before = progress
    setProgress('busy')
    setProblem(undefined)
    try {
      await post<typeof sendPopupCode>('/sso/reset-password/code/', { popupId })
      setProgress('sent')
    } catch (failure) {
      setProgress(before)
      setProblem(failure)
      if (isFinal(failure)) onFinal()
    }
  }

  return (
    <div>
      <FormFailure problem={problem} />
      <Button variant="default" loading={progress === 'busy'} onClick={() => void send()}>
        {t(progress === 'sent' ? 'popup.sendAgain' : 'popup.sendCode')}
      </Button>
      <p role="status" className={classes.hint}>
        {progress === 'sent' && t('popup.codeSent')}
      </p>
    </div>
  )
}
