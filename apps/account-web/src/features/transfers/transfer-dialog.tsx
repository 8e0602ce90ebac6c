import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TransferDone } from './transfer-done.tsx'
import { TransferForm } from './transfer-form.tsx'
import { eligibilityQuery, useTransfer } from './transfers.data.ts'
import classes from './transfers.module.css'

interface Props {
  onClose(): void
}

/** Transfers the subscriptions to another account (001 §2, §4): what moves and what stays, and a code of each account. */
export function TransferDialog({ onClose }: Props) {
  const { t } = useTranslation('transfers')
  const { data: known, error, refetch, isFetching } = useQuery(eligibilityQuery)
  const transfer = useTransfer()

  if (transfer.data) return <TransferDone transferred={transfer.data} onClose={onClose} />
  return (
    <DialogFrame title={t('title')} onClose={onClose} busy={transfer.isPending} isForm width={600}>
      {known?.canTransfer === 1 && <TransferForm known={known} transfer={transfer} onClose={onClose} />}
      {known && known.obstacle !== '' && <Obstacle obstacle={known.obstacle} onClose={onClose} />}
      {!known && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!known && !error && <Waiting />}
    </DialogFrame>
  )
}

function Obstacle({ obstacle, onClose }: Props & { obstacle: string }) {
  const { t } = useTranslation('transfers')
  const { t: common } = useTranslation('common')
  return (
    <>
      <Notice tone="info">{t(`obstacles.${obstacle}`)}</Notice>
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </>
  )
}

function Waiting() {
  return (
    <div className={classes.waiting} aria-hidden>
      <Skeleton width="80%" />
      <Skeleton width="100%" height={120} />
      <Skeleton width="100%" height={56} />
      <Skeleton width="100%" height={56} />
    </div>
  )
}
