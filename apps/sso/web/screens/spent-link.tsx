import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'

interface Way {
  href: string
  label: string
}

interface Props {
  text: string
  /** The usual next step. */
  first: Way
  second: Way
}

/** Shown for an emailed link that no longer works. */
export function SpentLink({ text, first, second }: Props) {
  const { t } = useTranslation()

  return (
    <Card title={t('spent.title')} lead={text} isAnswer>
      <div className={classes.actions}>
        <Button component="a" href={first.href}>
          {first.label}
        </Button>
        <Button component="a" href={second.href} variant="default">
          {second.label}
        </Button>
      </div>
    </Card>
  )
}
