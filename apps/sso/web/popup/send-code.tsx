import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { FormFailure } from '../page/form-failure.tsx'

interface Props {
  /** Sends a code. @returns false if there is nowhere to send it to yet */
  send(): Promise<boolean>
  /** Whether a code was sent before the page was loaded again. */
  isSent?: boolean
  /** Whether the form just said that the code that was sent does not work. */
  isRefused?: boolean
}

/** Sends a code by email, and again after a pause. */
export function SendCode({ send, isSent = false, isRefused = false }: Props) {
  const { t } = useTranslation()
  const [progress, setProgress] = useState<'idle' | 'busy' | 'sent'>(isSent ? 'sent' : 'idle')
  const [problem, setProblem] = useState<unknown>()

  async function sendNow() {
    const before = progress
    setProgress('busy')
    setProblem(undefined)
    try {
      setProgress((await send()) ? 'sent' : before)
    } catch (failure) {
      setProgress(before)
      setProblem(failure)
    }
  }

  return (
    <div>
      <div className={classes.failure}>
        <FormFailure problem={problem} />
      </div>
      <Button variant="default" loading={progress === 'busy'} onClick={() => void sendNow()}>
        {t(progress === 'sent' ? 'popup.sendAgain' : 'popup.sendCode')}
      </Button>
      <p role="status" className={classes.hint}>
        {progress === 'sent' && !isRefused && problem === undefined && t('popup.codeSent')}
      </p>
    </div>
  )
}
