import { EmptyState } from '@atrium/ui/empty-state.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './addresses.module.css'

export function NoAddresses({ action }: { action: ReactNode }) {
  const { t } = useTranslation('addresses')

  return (
    <div className={classes.empty}>
      <EmptyState picture="place" sentence={t('empty')} action={action} />
    </div>
  )
}
