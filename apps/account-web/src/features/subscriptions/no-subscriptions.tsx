import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
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
          <Button
            component="a"
            href={shopUrl({ siteUrl: settings.siteUrl, locale })}
            target="_blank"
            rel="noopener"
            variant="default"
            rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
          >
            {t('online.shop')}
          </Button>
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
