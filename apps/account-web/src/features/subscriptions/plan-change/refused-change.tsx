import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { Failure, InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DropChangeButton } from '../drop-change-button.tsx'
import { useOpenChangeText } from '../use-open-change-text.ts'
import { openChangeIn } from './plan-change.data.ts'
import type { usePlanChange } from './use-plan-change.ts'

interface Props {
  sid: string
  change: Pick<ReturnType<typeof usePlanChange>, 'retry' | 'refusal' | 'isBusy' | 'continueWaiting'>
  problem: Error
  onShare(): void
  onClose(): void
}

/** A change without a quote: gone, another's, or in a state that forbids it, where asking again does not help. */
export function RefusedChange({ sid, change, problem, onShare, onClose }: Props) {
  const { t } = useTranslation('common')
  const { t: changes } = useTranslation('subscription-changes')
  if (!(problem instanceof CallProblem && [403, 404, 409].includes(problem.status))) {
    return <Failure problem={problem} onRetry={change.retry} />
  }
  if (problem.code === 'subscription_change_pending') {
    return <WaitingChange sid={sid} open={openChangeIn(problem)} change={change} onClose={onClose} />
  }
  return (
    <>
      <InlineFailure problem={problem} />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        {problem.code === 'change_expired' && <Button onClick={change.retry}>{t('retry')}</Button>}
        {problem.code === 'pooling_required' && <Button onClick={onShare}>{changes('enableSharing')}</Button>}
      </DialogActions>
    </>
  )
}

interface WaitingProps extends Pick<Props, 'sid' | 'change' | 'onClose'> {
  /** Undefined: it is not known yet how it ended. */
  open: OpenChange | undefined
}

/** The payment of an earlier change was left open: it is continued or dropped, as in the list; one begun at the provider on its page. */
function WaitingChange({ sid, open, change, onClose }: WaitingProps) {
  const { t } = useTranslation('subscription-changes')
  const { refusal, isBusy, continueWaiting } = change
  const locale = useLocale()
  const nameOf = useOpenChangeText()
  return (
    <>
      {refusal && <InlineFailure problem={refusal} />}
      <div role="status">
        <Notice tone="warning">{joinSentences(locale, [t('change.unpaid'), ...(open ? [nameOf(open)] : [])])}</Notice>
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {t('change.notNow')}
        </Button>
        {open && <DropChangeButton sid={sid} product={open.appName} isDisabled={isBusy} onDropped={change.retry} />}
        {open && open.payUrl !== '' ? (
          <Button component="a" href={open.payUrl} target="_blank" rel="noopener" onClick={onClose} data-autofocus>
            {t('change.continuePayment')}
          </Button>
        ) : (
          <Button onClick={continueWaiting} loading={isBusy} data-autofocus>
            {t('change.continuePayment')}
          </Button>
        )}
      </DialogActions>
    </>
  )
}
