import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DialogActions } from './dialog-actions.tsx'
import { Failure, InlineFailure } from './failure.tsx'

interface RefusalProps {
  problem: Error
  onClose(): void
}

/** The content of a dialog in which nothing is left to do. */
export function DialogRefusal({ problem, onClose }: RefusalProps) {
  const { t } = useTranslation('common')
  return (
    <>
      <InlineFailure problem={problem} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
      </DialogActions>
    </>
  )
}

interface FailureProps extends RefusalProps {
  /** Asking again does not help. */
  isFinal: boolean
  onRetry(): void
  isRetrying: boolean
}

/** The content of a dialog that could not learn what it needs to show. */
export function DialogFailure({ problem, isFinal, onClose, ...retry }: FailureProps) {
  return isFinal ? <DialogRefusal problem={problem} onClose={onClose} /> : <Failure problem={problem} {...retry} />
}
