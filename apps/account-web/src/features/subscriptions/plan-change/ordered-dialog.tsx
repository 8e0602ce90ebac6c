import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ChangeSuccess } from './change-success.tsx'
import { PaymentProcessing } from './payment-processing.tsx'
import { orderedQuery } from './plan-change.data.ts'

interface Props {
  sid: string
  onClose(): void
}

/** The customer comes back from PayPal's page: how the change stands that was ordered there. */
export function OrderedDialog({ sid, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const { t: common } = useTranslation('common')
  const { data: purchase, error, isFetching, refetch } = useQuery(orderedQuery(sid))
  if (purchase?.paymentIntentStatus === 'succeeded') return <ChangeSuccess purchase={purchase} onClose={onClose} />
  if (purchase?.paymentIntentStatus === 'processing') return <PaymentProcessing onClose={onClose} />

  return (
    <DialogFrame title={t('paypal.title')} onClose={onClose} busy={isFetching}>
      <div aria-live="polite">
        {error && <InlineFailure problem={error} />}
        {purchase && <Notice tone="warning">{t('paypal.open')}</Notice>}
        {!purchase && !error && <Skeleton width="100%" height={56} />}
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common('close')}
        </Button>
        {(purchase || error) && (
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            {t('paypal.check')}
          </Button>
        )}
        {purchase && purchase.approveUrl !== '' && (
          <Button onClick={() => window.location.assign(purchase.approveUrl)}>{t('paypal.here')}</Button>
        )}
      </DialogActions>
    </DialogFrame>
  )
}
