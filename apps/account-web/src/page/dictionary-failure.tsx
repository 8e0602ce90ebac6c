import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from './dictionaries.data.ts'

/** A screen whose words could not be loaded says so (000 §8), and still shows what it has. */
export function DictionaryFailure({ dictionary }: { dictionary: Dictionary }) {
  const { t } = useTranslation('common')
  const problemText = useProblemText()
  if (!dictionary.problem) return null

  return (
    <div role="alert">
      <Notice
        tone="warning"
        title={t('dictionaryFailure')}
        action={
          <Button variant="default" onClick={dictionary.retry} loading={dictionary.isRetrying}>
            {t('retry')}
          </Button>
        }
      >
        {problemText(dictionary.problem)}
      </Notice>
    </div>
  )
}
