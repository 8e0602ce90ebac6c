import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'
import type { OpenPopup, PopupState } from './use-popup.ts'

interface PopupProps {
  /** Until the popup is open. */
  title: string
  state: PopupState
  children(popup: OpenPopup): ReactNode
}

/** A popup of the account page: connecting to it, then open, or why it is not. */
export function Popup({ title, state, children }: PopupProps) {
  const { t } = useTranslation()
  switch (state.step) {
    case 'connecting':
      return <Connecting title={title} />
    case 'no-opener':
      return <Ending title={t('popup.noOpenerTitle')} text={t('popup.noOpener')} />
    case 'failed':
      return <Ending title={t('popup.failedTitle')} text={t('popup.failed')} problem={state.problem} />
    case 'open':
      return children(state.popup)
  }
}

function Connecting({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <Card title={title}>
      <p className={classes.lead} role="status">
        {t('popup.connecting')}
      </p>
    </Card>
  )
}

interface EndingProps {
  title: string
  text: string
  problem?: unknown
}

/** The last card of a popup. */
export function Ending({ title, text, problem }: EndingProps) {
  return (
    <Card title={title} isAnswer>
      <p className={classes.lead}>{text}</p>
      {problem !== undefined && (
        <div className={classes.form}>
          <FormFailure problem={problem} />
        </div>
      )}
      <div className={classes.actions}>
        <CloseWindow />
      </div>
    </Card>
  )
}

export function CloseWindow() {
  const { t } = useTranslation()
  return (
    <Button variant="default" onClick={() => window.close()}>
      {t('popup.close')}
    </Button>
  )
}
