import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { FormFailure } from '../page/form-failure.tsx'

/** Until the account page has answered. */
export function Connecting({ title }: { title: string }) {
  const { t } = useTranslation()
  return (
    <Card title={title}>
      <p className={classes.text} role="status">
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
