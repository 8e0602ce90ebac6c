import { Notice } from '@atrium/ui/notice.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from './dictionaries.data.ts'

/** Shows that names could not be loaded (000 §8), above the content without them. */
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
