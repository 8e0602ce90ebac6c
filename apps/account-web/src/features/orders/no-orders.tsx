import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OutsideButton } from '../../page/outside-button.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell, shopUrl } from '../../page/shop.rules.ts'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'

/** Nothing was bought yet. */
export function NoOnlineOrders() {
  const { t } = useTranslation('orders')
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

export function NoOfflineOrders() {
  const { t } = useTranslation('orders')
  const quoteDialog = useQuoteDialog()

  return (
    <EmptyState
      picture="papers"
      sentence={t('offline.empty')}
      action={<Button onClick={() => quoteDialog.open('new')}>{t('offline.getQuote')}</Button>}
    />
  )
}
