import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DropChangeButton } from '../drop-change-button.tsx'
import { ChangeSuccess } from './change-success.tsx'
import { PaymentProcessing } from './payment-processing.tsx'
import { orderedQuery, type Purchase, unpaidIn } from './plan-change.data.ts'
import classes from './plan-change.module.css'
import { type ChangeName, changeNames } from './plan-change.rules.ts'

interface Props {
  sid: string
  /** The customer says so, by the way they came back: PayPal is asked all the same. */
  isCanceled: boolean
  /** Begins the change again, after PayPal could not take its payment, or another account approved it. */
  onRestart(name: ChangeName, quantity: number | undefined): void
  onClose(): void
}

/** The customer comes back from PayPal's page, or goes on later: how the change stands that was ordered there. */
export function OrderedDialog({ sid, isCanceled, onRestart, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const { t: common } = useTranslation('common')
  const { data: purchase, error, isFetching, refetch } = useQuery(orderedQuery(sid))
  const unpaid = unpaidIn(error)
  const [isChecked, setChecked] = useState(false)
  if (purchase?.paymentIntentStatus === 'succeeded') return <ChangeSuccess purchase={purchase} onClose={onClose} />
  if (purchase?.paymentIntentStatus === 'processing') return <PaymentProcessing onClose={onClose} />

  function check() {
    setChecked(true)
    void refetch()
  }

  return (
    <DialogFrame title={t('paypal.title')} onClose={onClose} busy={isFetching}>
      <div aria-live="polite">
        {error && <InlineFailure problem={error} />}
        {purchase && isCanceled && !isChecked && <Notice tone="info">{t('paypal.canceled')}</Notice>}
        {purchase && isChecked && !isFetching && <Notice tone="warning">{t('paypal.open')}</Notice>}
        {!purchase && !error && <Skeleton width="100%" height={56} />}
      </div>
      {purchase && <OpenPayment purchase={purchase} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common('close')}
        </Button>
        {purchase && (
          <DropChangeButton sid={sid} product={purchase.appName} isDisabled={isFetching} onDropped={onClose} />
        )}
        {unpaid && (
          <Button onClick={() => onRestart(changeNames[unpaid.type], unpaid.increasingNumber)}>
            {common('retry')}
          </Button>
        )}
        {!unpaid && (purchase || error) && (
          <Button variant="default" loading={isFetching} onClick={check}>
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

/** What waits for its approval: the product, the change and the amount. */
function OpenPayment({ purchase }: { purchase: Purchase }) {
  const { t } = useTranslation('subscription-changes')
  const { t: list } = useTranslation('subscriptions')
  const locale = useLocale()
  const { type, appName: product, increasedNumber: quantity, chargeAmount, currency } = purchase
  const amount = formatMoney(locale, { amount: chargeAmount, currency })
  return (
    <>
      <p>{t('paypal.sentence', { amount, product })}</p>
      <dl className={classes.lines}>
        <div>
          <dt>
            {type === 'buy-more' ? t('change.charge', { quantity, product }) : list(`changes.${changeNames[type]}`)}
          </dt>
          <dd>{amount}</dd>
        </div>
      </dl>
    </>
  )
}
