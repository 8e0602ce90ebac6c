import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sentTransfer } from './sent-transfer.ts'
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
  const isContinued = useContinued(transfer)

  if (transfer.data) return <TransferDone transferred={transfer.data} onClose={onClose} />
  return (
    <DialogFrame title={t('title')} onClose={onClose} busy={transfer.isPending} isForm width={600}>
      {isContinued || (!known && !error) ? (
        <Waiting />
      ) : (
        <>
          {known?.canTransfer === 1 && <TransferForm known={known} transfer={transfer} onClose={onClose} />}
          {known && known.obstacle !== '' && <Obstacle obstacle={known.obstacle} onClose={onClose} />}
          {!known && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
        </>
      )}
    </DialogFrame>
  )
}

/**
 * The page was reloaded before the answer came: the same transfer is sent again, and shows how it ended. Whoever closes the dialog wants
 * nothing sent again. @returns whether that still runs
 */
function useContinued({ mutate }: ReturnType<typeof useTransfer>): boolean {
  const [sent, setSent] = useState(() => sentTransfer.unanswered(sessionStorage, Date.now()))
  const isBegun = useRef(false)
  useEffect(() => {
    if (!sent || isBegun.current) return
    isBegun.current = true
    mutate(sent, { onSettled: () => setSent(undefined) })
  }, [sent, mutate])
  // A reload does not run this.
  useEffect(() => () => sentTransfer.forget(sessionStorage), [])
  return sent !== undefined
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
