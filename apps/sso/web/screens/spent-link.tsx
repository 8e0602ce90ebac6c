import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../shell/card.module.css'
import { Card } from '../shell/card.tsx'

interface Props {
  href: string
  label: string
}

/** A mailed link that opens nothing any more, and what to do instead. */
export function SpentLink({ href, label }: Props) {
  const { t } = useTranslation()

  return (
    <Card title={t('spent.title')} lead={t('spent.text')} isAnswer>
      <div className={classes.actions}>
        <Button component="a" href={href}>
          {label}
        </Button>
        <Button component="a" href="/cas/login" variant="default">
          {t('signIn.submit')}
        </Button>
      </div>
    </Card>
  )
}
