import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useTranslation } from 'react-i18next'
import { OutsideButton } from '../../page/outside-button.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell, shopUrl } from '../../page/shop.rules.ts'
import { NoMatch } from './no-match.tsx'
import { useClearedFilters } from './use-cleared-filters.ts'

/** An empty list: because of the filters, or without any purchase. */
export function NoLicenses() {
  const { t } = useTranslation('licenses')
  const { settings, locale } = usePage()
  const clear = useClearedFilters()

  if (clear) return <NoMatch onClear={clear} />

  return (
    <EmptyState
      picture="papers"
      sentence={t('empty')}
      action={
        maySell(locale) && (
          <OutsideButton href={shopUrl({ siteUrl: settings.siteUrl, locale })} label={t('buyNow')} variant="default" />
        )
      }
    />
  )
}
