import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { AmountLine, BalanceLines } from './amount-lines.tsx'
import type { Purchase } from './plan-change.data.ts'
import classes from './plan-change.module.css'

interface Props {
  purchase: Purchase
  onClose(): void
}

const titles = {
  'buy-more': 'purchased',
  'buy-connector': 'purchased',
  'switch-to-business-billing': 'upgraded',
  'switch-to-annual-billing': 'upgraded',
  'techsoup-renew': 'renewed',
} as const satisfies Record<PlanChangeType, string>

/** What is there now: more of what worked already, another product, another billing, or a longer term. */
const sentences = {
  'buy-more': 'added',
  'buy-connector': 'added',
  'switch-to-business-billing': 'ready',
  'switch-to-annual-billing': 'annual',
  'techsoup-renew': 'extended',
} as const satisfies Record<PlanChangeType, string>

/** What was bought, and what it cost (001 §3, "Success summary"). */
export function ChangeSuccess({ purchase, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  const { type, appName: product, nextRenewal, subAmount, taxAmount, chargeAmount, currency, approveLink } = purchase
  const { discount, increasedNumber } = purchase
  const money = (amount: number) => formatMoney(locale, { amount, currency })
  const amount = money(chargeAmount)
  const date = nextRenewal ? formatDate(locale, new Date(nextRenewal.date), 'UTC') : ''
  const isLater = chargeAmount === 0 && approveLink !== ''
  const sentence = isLater ? 'later' : sentences[type]

  return (
    <DialogFrame title={t(approveLink === '' ? `change.done.${titles[type]}` : 'change.done.almost')} onClose={onClose}>
      <div className={classes.success} role="status">
        <IconCircleCheck size={40} stroke={1.4} aria-hidden />
        <p>{t(`change.done.${sentence}`, { product, date })}</p>
        {!isLater && <p>{t(chargeAmount === 0 ? 'change.done.free' : 'change.done.charged', { amount })}</p>}
      </div>
      {approveLink !== '' && nextRenewal && (
        <p className={classes.next}>{t('change.done.next', { date, amount: money(nextRenewal.amount) })}</p>
      )}
      <dl className={classes.lines}>
        {increasedNumber > 0 && (
          <AmountLine label={t('change.increased')}>{new Intl.NumberFormat(locale).format(increasedNumber)}</AmountLine>
        )}
        <AmountLine label={t('change.subtotal')}>{money(subAmount + discount)}</AmountLine>
        {discount > 0 && <AmountLine label={t('change.discount')}>{money(-discount)}</AmountLine>}
        <AmountLine label={t('change.tax')}>{money(taxAmount)}</AmountLine>
        <BalanceLines amounts={purchase} />
        <div className={classes.due}>
          <dt>{t('change.charged')}</dt>
          <dd>{amount}</dd>
        </div>
      </dl>
      <DialogActions>
        <Button
          variant={approveLink === '' ? 'filled' : 'default'}
          onClick={onClose}
          data-autofocus={approveLink === ''}
        >
          {common('close')}
        </Button>
        {approveLink !== '' && (
          <Button onClick={() => window.location.assign(approveLink)} data-autofocus>
            {t('change.done.verify')}
          </Button>
        )}
      </DialogActions>
    </DialogFrame>
  )
}
