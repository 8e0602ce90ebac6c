import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from '../page/card.module.css'
import { Card } from '../page/card.tsx'
import { usePageData } from '../page/page-data.ts'

export function SignedInScreen({ email }: { email: string }) {
  const { t } = useTranslation()
  const { accountUrl } = usePageData()

  return (
    <Card title={t('signedIn.title')} lead={t('signedIn.text', { email })}>
      <div className={classes.actions}>
        <Button component="a" href={`${accountUrl}/account`}>
          {t('signedIn.account')}
        </Button>
        <Button component="a" href="/cas/logout" variant="default">
          {t('signedIn.signOut')}
        </Button>
      </div>
    </Card>
  )
}
