import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePageData } from '../page-data.ts'
import classes from '../shell/card.module.css'
import { Card } from '../shell/card.tsx'

/** The texts of each message. */
const texts = {
  'signed-out': 'signedOut',
  'refused-service': 'refused',
  malformed: 'malformed',
  'not-found': 'notFound',
} as const

/** A page that only says something, and where to go from there. */
export function MessageScreen({ name }: { name: keyof typeof texts }) {
  const { t } = useTranslation()
  const { brandName, accountUrl } = usePageData()
  const key = texts[name]
  const next =
    key === 'signedOut'
      ? { href: '/cas/login', label: t('signedOut.signIn') }
      : { href: `${accountUrl}/account`, label: t(`${key}.account`) }

  return (
    <Card title={t(`${key}.title`)} lead={t(`${key}.text`, { brand: brandName })}>
      <div className={classes.actions}>
        <Button component="a" href={next.href}>
          {next.label}
        </Button>
      </div>
    </Card>
  )
}
