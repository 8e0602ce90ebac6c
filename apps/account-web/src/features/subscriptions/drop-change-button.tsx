import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDropChange } from './subscriptions.data.ts'

interface Props {
  sid: string
  product: string
  isDisabled?: boolean
  /** In pixels, where its container leaves none. */
  gapAfter?: number
  /** It no longer waits: it was dropped, or paid meanwhile. */
  onDropped?(): void
}

/** Drops a change that waits for its payment. */
export function DropChangeButton({ sid, product, isDisabled = false, gapAfter = 0, onDropped }: Props) {
  const { t } = useTranslation('subscriptions')
  const problemText = useProblemText()
  const drop = useDropChange(sid, {
    onSuccess({ isDropped }) {
      showSuccess(t(isDropped === 1 ? 'due.notMade' : 'due.received', { product }), 8000)
      onDropped?.()
    },
    onError: (problem) => showFailure(problemText(problem)),
  })

  return (
    <Button
      variant="default"
      me={gapAfter}
      disabled={isDisabled}
      loading={drop.isPending}
      onClick={() => drop.mutate()}
    >
      {t('openChange.drop')}
    </Button>
  )
}
