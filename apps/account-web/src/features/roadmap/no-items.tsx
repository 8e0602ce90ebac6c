import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useTranslation } from 'react-i18next'

/** The vendor has not imported a roadmap. */
export function NoItems() {
  const { t } = useTranslation('roadmap')
  return <EmptyState picture="papers" sentence={t('empty')} />
}
