import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page-data.ts'
import { maySell, shopUrl } from './licenses.rules.ts'
import { useClearedFilters } from './use-cleared-filters.ts'

/** Nothing to list: because of the filters, or because nothing was bought yet. */
export function NoLicenses() {
  const { t } = useTranslation(['licenses', 'common'])
  const { settings, locale } = usePage()
  const clear = useClearedFilters()

  if (clear) {
    return (
      <EmptyState
        picture="papers"
        sentence={t('licenses:noMatch')}
        action={
          <Button variant="default" onClick={clear}>
            {t('common:filters.clearAll')}
          </Button>
        }
      />
    )
  }
  return (
    <EmptyState
      picture="papers"
      sentence={t('licenses:empty')}
      action={
        maySell(locale) && (
          <Button
            component="a"
            href={shopUrl({ siteUrl: settings.siteUrl, locale })}
            variant="default"
            rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
          >
            {t('licenses:buyNow')}
          </Button>
        )
      }
    />
  )
}
