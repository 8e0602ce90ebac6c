import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** The vendor has not imported a roadmap. */
export function NoItems() {
  const { t } = useTranslation('roadmap')
  return <EmptyState picture="papers" sentence={t('empty')} />
}

export function NoItemsMatch({ onClear }: { onClear(): void }) {
  const { t } = useTranslation('roadmap')
  const { t: common } = useTranslation('common')

  return (
    <EmptyState
      picture="papers"
      sentence={t('noMatch')}
      action={
        <Button variant="default" onClick={onClear}>
          {common('filters.clearAll')}
        </Button>
      }
    />
  )
}
