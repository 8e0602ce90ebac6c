import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OutsideButton } from '../../page/outside-button.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell, shopUrl } from '../../page/shop.rules.ts'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'

export function NoOnlineSubscriptions() {
  const { t } = useTranslation('subscriptions')
  const { settings, locale } = usePage()

  return (
    <EmptyState
      picture="papers"
      sentence={t('online.empty')}
      action={
        maySell(locale) && (
          <OutsideButton
            href={shopUrl({ siteUrl: settings.siteUrl, locale })}
            label={t('online.shop')}
            variant="default"
          />
        )
      }
    />
  )
}

export function NoOfflineSubscriptions() {
  const { t } = useTranslation('subscriptions')
  const quoteDialog = useQuoteDialog()

  return (
    <EmptyState
      picture="papers"
      sentence={t('online.empty')}
      action={
        <Button variant="default" onClick={() => quoteDialog.open('new')}>
          {t('offline.getQuote')}
        </Button>
      }
    />
  )
}
