import { localePath } from '@atrium/contract/locale.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Page } from '../../page/page-data.ts'

interface Props {
  page: Page
  /** Where in the account; undefined: its first page. */
  tab?: string | undefined
}

/** The way into the visitor's own account. */
export function AccountButton({ page: { locale }, tab }: Props) {
  const { t } = useTranslation('invitations')
  const query = tab === undefined ? '' : `?tab=${tab}`
  return (
    <Button component="a" variant="default" href={`${localePath(locale, '/account')}${query}`}>
      {t('toAccount')}
    </Button>
  )
}
