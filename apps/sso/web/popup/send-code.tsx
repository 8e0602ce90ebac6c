import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { FormFailure } from '../page/form-failure.tsx'

interface Props {
  send(): Promise<void>
  /** Whether the latest code went to the address that the form shows. */
  isSent: boolean
  /** Whether the form just said that the code that was sent does not work. */
  isRefused: boolean
}

/** Sends a code by email, and again after a pause. */
export function SendCode({ send, isSent, isRefused }: Props) {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  async function sendNow() {
    setBusy(true)
    setProblem(undefined)
    await send().catch(setProblem)
    setBusy(false)
  }

  return (
    <div>
      <div className={classes.failure}>
        <FormFailure problem={problem} />
      </div>
      <Button variant="default" loading={isBusy} onClick={() => void sendNow()}>
        {t(isSent ? 'popup.sendAgain' : 'popup.sendCode')}
      </Button>
      <p role="status" className={classes.hint}>
        {isSent && !isBusy && !isRefused && problem === undefined && t('popup.codeSent')}
      </p>
    </div>
  )
}
