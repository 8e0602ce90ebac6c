import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { usePageData } from '../page/page-data.ts'

/** The texts of each message. */
const texts = {
  'signed-out': 'signedOut',
  'refused-service': 'refused',
  malformed: 'malformed',
  'not-found': 'notFound',
  unavailable: 'unavailable',
} as const

/** A page with a message and a link. */
export function MessageScreen({ name }: { name: keyof typeof texts }) {
  const { t } = useTranslation()
  const { brandName, accountUrl } = usePageData()
  const key = texts[name]

  return (
    <Card title={t(`${key}.title`)} lead={t(`${key}.text`, { brand: brandName })}>
      <div className={classes.actions}>
        <Onward name={key} accountUrl={accountUrl} />
      </div>
    </Card>
  )
}

function Onward({ name, accountUrl }: { name: (typeof texts)[keyof typeof texts]; accountUrl: string }) {
  const { t } = useTranslation()
  if (name === 'unavailable') return <Button onClick={() => location.reload()}>{t('unavailable.retry')}</Button>
  const { href, label } =
    name === 'signedOut'
      ? { href: '/cas/login', label: t('signedOut.signIn') }
      : { href: `${accountUrl}/account`, label: t(`${name}.account`) }
  return (
    <Button component="a" href={href}>
      {label}
    </Button>
  )
}
