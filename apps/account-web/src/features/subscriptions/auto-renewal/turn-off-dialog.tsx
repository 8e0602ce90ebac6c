import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogFailure } from '@atrium/ui/dialog-failure.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { endingQuery, useTurnOff } from './auto-renewal.data.ts'
import classes from './turn-off.module.css'
import { TurnOffForm } from './turn-off-form.tsx'

interface Props {
  sid: string
  onClose(): void
}

/** Turns auto-renewal off: what stops and when, and why (001 §2, §4). */
export function TurnOffDialog({ sid, onClose }: Props) {
  const { t } = useTranslation('auto-renewal')
  const { data: ending, error, refetch, isFetching } = useQuery(endingQuery(sid))
  const turnOff = useTurnOff()
  // Gone, another's, or in a state that forbids it: asking again does not help.
  const isFinal = error instanceof CallProblem && [403, 404, 409].includes(error.status)

  return (
    <DialogFrame
      title={ending ? t('cancel.title', { product: ending.appName }) : t('cancel.confirm')}
      onClose={onClose}
      busy={turnOff.isPending}
      isForm
      width={560}
    >
      {ending && <TurnOffForm ending={ending} turnOff={turnOff} onClose={onClose} />}
      {!ending && error && (
        <DialogFailure
          problem={error}
          isFinal={isFinal}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          onClose={onClose}
        />
      )}
      {!ending && !error && <Waiting />}
    </DialogFrame>
  )
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden>
      <Skeleton width="80%" />
      <Skeleton width="100%" height={48} />
      <Skeleton width="60%" />
      <Skeleton width="100%" height={160} />
    </div>
  )
}
