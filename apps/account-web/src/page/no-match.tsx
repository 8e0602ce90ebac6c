import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props {
  sentence: string
  onClear(): void
}

/** A list in which nothing has what the filters ask for. */
export function NoMatch({ sentence, onClear }: Props) {
  const { t } = useTranslation('common')
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('filters.clearAll')}
    </Button>
  )
  return <EmptyState picture="papers" sentence={sentence} action={clear} />
}
