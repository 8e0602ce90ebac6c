import { EmptyState } from '@atrium/ui/empty-state.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

export function NoAddresses({ action }: { action: ReactNode }) {
  const { t } = useTranslation('addresses')
  return <EmptyState picture="place" sentence={t('empty')} action={action} />
}
