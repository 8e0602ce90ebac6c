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
import { loadableCode } from '../../../page/loadable-code.ts'
import type { Purchase } from './plan-change.data.ts'
import classes from './plan-change.module.css'
import type { ChangeProps } from './use-plan-change.ts'

const { code } = loadableCode(() => import('../../../page/paypal-buttons.tsx').then((module) => module.PaypalButtons))

interface Props extends Pick<ChangeProps, 'change'> {
  ordered: Purchase
  onClose(): void
}

/** The PayPal dialog (001 §3): the customer approves the payment in PayPal's window, or on PayPal's page. */
export function PaypalStep({ change, ordered, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const locale = useLocale()
  const { detail, refusal, isUnapproved, isBusy } = change
  const [isLeaving, setLeaving] = useState(false)
  const [isCanceled, setCanceled] = useState(false)
  const amount = formatMoney(locale, { amount: ordered.chargeAmount, currency: ordered.currency })

  function finish() {
    setCanceled(false)
    change.finishAtPaypal()
  }

  return (
    <DialogFrame title={t('paypal.title')} onClose={onClose} busy={isBusy} isForm>
      {refusal && <InlineFailure problem={refusal} />}
      <div aria-live="polite">
        {isCanceled && <Notice tone="info">{t('paypal.canceled')}</Notice>}
        {isUnapproved && !isCanceled && !isBusy && <Notice tone="warning">{t('paypal.open')}</Notice>}
      </div>
      <p>{t('paypal.sentence', { amount, product: detail.quote.after.appName })}</p>
      {detail.needsPayingAccount === 1 && <p>{t('change.payingAccount')}</p>}
      <div className={classes.paypal}>
        <Buttons
          orderId={ordered.paypalOrderId}
          currency={ordered.currency}
          isDisabled={isBusy || isLeaving}
          onApprove={finish}
          onCancel={() => setCanceled(true)}
        />
        <Button
          variant="default"
          fullWidth
          // Until the page is left.
          loading={isLeaving}
          disabled={isBusy || ordered.approveUrl === ''}
          onClick={() => {
            setLeaving(true)
            window.location.assign(ordered.approveUrl)
          }}
        >
          {t('paypal.here')}
        </Button>
      </div>
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isBusy}>
          {t('change.notNow')}
        </Button>
        <Button variant="subtle" loading={isBusy} disabled={isLeaving} onClick={finish}>
          {t('paypal.check')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}

interface ButtonsProps {
  orderId: string
  currency: string
  isDisabled: boolean
  onApprove(): void
  onCancel(): void
}

/** PayPal's script is loaded when it is shown; without it PayPal's page still opens. */
function Buttons(props: ButtonsProps) {
  const { t } = useTranslation('subscription-changes')
  const { data: PaypalButtons, isError } = useQuery(code)
  const [isFailed, setFailed] = useState(false)
  const fallback = <Notice tone="warning">{t('paypal.failed')}</Notice>
  if (isError || isFailed) return fallback
  if (!PaypalButtons) return <Skeleton width="100%" height={45} />
  return <PaypalButtons {...props} fallback={fallback} onFailure={() => setFailed(true)} />
}
