import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogActions } from '@atrium/ui/dialog-frame.tsx'
import { Failure, InlineFailure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { usePlanChange } from './use-plan-change.ts'

interface Props {
  change: Pick<ReturnType<typeof usePlanChange>, 'retry' | 'refusal' | 'isBusy' | 'continueWaiting'>
  problem: Error
  onShare(): void
  onClose(): void
}

/** A change without a quote: gone, another's, or in a state that forbids it, where asking again does not help. */
export function RefusedChange({ change, problem, onShare, onClose }: Props) {
  const { t } = useTranslation('common')
  const { t: changes } = useTranslation('subscription-changes')
  if (!(problem instanceof CallProblem && [403, 404, 409].includes(problem.status))) {
    return <Failure problem={problem} onRetry={change.retry} />
  }
  if (problem.code === 'subscription_change_pending') return <WaitingChange change={change} onClose={onClose} />
  return (
    <>
      <InlineFailure problem={problem} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        {problem.code === 'pooling_required' && <Button onClick={onShare}>{changes('sharing.title')}</Button>}
      </DialogActions>
    </>
  )
}

/** The payment of an earlier change was left open: it is continued here, as in the list. */
function WaitingChange({ change, onClose }: Pick<Props, 'change' | 'onClose'>) {
  const { t } = useTranslation('subscription-changes')
  const { refusal, isBusy, continueWaiting } = change
  return (
    <>
      {refusal && <InlineFailure problem={refusal} />}
      <div role="status">
        <Notice tone="warning">{t('change.unpaid')}</Notice>
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {t('change.notNow')}
        </Button>
        <Button onClick={continueWaiting} loading={isBusy} data-autofocus>
          {t('change.continuePayment')}
        </Button>
      </DialogActions>
    </>
  )
}
