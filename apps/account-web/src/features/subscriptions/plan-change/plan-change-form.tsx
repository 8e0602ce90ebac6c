import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDroppedPlanText } from '../../../page/use-dropped-plan-text.ts'
import { CardChoice } from './card-choice.tsx'
import { ChangeControls } from './change-controls.tsx'
import { CouponField } from './coupon-field.tsx'
import classes from './plan-change.module.css'
import { QuoteSummary } from './quote-summary.tsx'
import type { ChangeProps } from './use-plan-change.ts'

interface Props extends ChangeProps {
  /** Hover or focus of the button that charges: what follows it is likely to be needed. */
  onIntent(): void
  onClose(): void
}

/** What is bought, with which card, and what it costs; nothing is charged before the button that names the amount. */
export function PlanChangeForm({ name, change, onIntent, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const locale = useLocale()
  const droppedText = useDroppedPlanText()
  const { detail, refusal, isChanged, isStale, isBusy, purchase } = change
  const { chargeAmount: amount, currency } = detail.quote
  const isWaiting = purchase?.paymentIntentStatus === 'requires_action'
  const isPaypal = detail.payType === 'paypal'
  const hasCard = isPaypal || change.paymentMethodId !== '' || detail.cardList.some(({ isExpired }) => !isExpired)
  const replaced = detail.openOrderAmount
  const due = formatMoney(locale, { amount, currency })

  function submit(event: { preventDefault(): void }) {
    event.preventDefault()
    if (isWaiting) change.askBankAgain()
    else if (!isStale) change.confirm()
  }

  return (
    <form onSubmit={submit} noValidate>
      {refusal && <InlineFailure problem={refusal} />}
      <div aria-live="polite">
        {replaced !== undefined && !isWaiting && (
          <Message>{t('paypal.replaces', { amount: formatMoney(locale, { amount: replaced, currency }) })}</Message>
        )}
        {detail.plannedChange && !isWaiting && <Message>{droppedText(detail.plannedChange)}</Message>}
        {isChanged && <Message>{t('change.changed')}</Message>}
        {isWaiting && <Message>{t('change.bank')}</Message>}
        {change.isUnclear && <Message>{t(navigator.onLine ? 'change.unclear' : 'change.offline')}</Message>}
      </div>
      <div className={classes.controls}>
        <ChangeControls name={name} change={change} />
        {!isPaypal && <CardChoice name={name} change={change} />}
      </div>
      <CouponField change={change} />
      <QuoteSummary detail={detail} isStale={isStale} isPaypal={isPaypal} />
      {isPaypal && amount > 0 && <p className={classes.next}>{t('change.payWithPaypal')}</p>}
      {detail.needsPayingAccount === 1 && amount > 0 && <p className={classes.next}>{t('change.payingAccount')}</p>}
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={!change.mayClose}>
          {t('change.notNow')}
        </Button>
        <Button
          type="submit"
          loading={isBusy}
          disabled={!isWaiting && (isStale || (!hasCard && amount > 0))}
          onPointerEnter={onIntent}
          onFocus={onIntent}
        >
          {isWaiting ? t('change.continue') : t(`change.${verbOf(amount, isPaypal)}`, { amount: due })}
        </Button>
      </DialogActions>
    </form>
  )
}

function verbOf(amount: number, isPaypal: boolean) {
  if (amount === 0) return 'confirm'
  return isPaypal ? 'toPaypal' : 'pay'
}

function Message({ children }: { children: string }) {
  return (
    <div className={classes.message}>
      <Notice tone="warning">{children}</Notice>
    </div>
  )
}
