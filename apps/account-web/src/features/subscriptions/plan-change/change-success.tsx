import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ChangeDetail, Purchase } from './plan-change.data.ts'
import classes from './plan-change.module.css'
import type { ChangeName } from './plan-change.rules.ts'

interface Props {
  name: ChangeName
  detail: ChangeDetail
  purchase: Purchase
  onClose(): void
}

/** What was bought, and what it cost (001 §3, "Success summary"). */
export function ChangeSuccess({ name, detail, purchase, onClose }: Props) {
  const { t } = useTranslation('subscription-changes')
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  const { subAmount, taxAmount, chargeAmount, currency } = purchase
  const money = (amount: number) => formatMoney(locale, { amount, currency })
  const isUpgrade = name === 'upgrade' || name === 'annual'

  return (
    <DialogFrame title={t(isUpgrade ? 'change.done.upgraded' : 'change.done.purchased')} onClose={onClose}>
      <div className={classes.success} role="status">
        <IconCircleCheck size={40} stroke={1.4} aria-hidden />
        <p>{t('change.done.sentence', { product: detail.quote.after.appName, amount: money(chargeAmount) })}</p>
      </div>
      <dl className={classes.lines}>
        <div>
          <dt>{t('change.subtotal')}</dt>
          <dd>{money(subAmount)}</dd>
        </div>
        <div>
          <dt>{t('change.tax')}</dt>
          <dd>{money(taxAmount)}</dd>
        </div>
        <div className={classes.due}>
          <dt>{t('change.charged')}</dt>
          <dd>{money(chargeAmount)}</dd>
        </div>
      </dl>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
