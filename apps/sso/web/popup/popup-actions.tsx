import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import type { Opener } from './opener.ts'

interface Props {
  opener: Opener
  submitLabel: string
  isDestructive?: boolean
  isBusy: boolean
}

/** The buttons of a popup's form. */
export function PopupActions({ opener, submitLabel, isDestructive = false, isBusy }: Props) {
  const { t } = useTranslation()

  function cancel() {
    opener.report('Close')
    window.close()
  }

  return (
    <div className={classes.actions}>
      <Button type="submit" loading={isBusy} {...(isDestructive && { color: 'bad' })}>
        {submitLabel}
      </Button>
      <Button variant="default" onClick={cancel} disabled={isBusy}>
        {t('popup.cancel')}
      </Button>
    </div>
  )
}
