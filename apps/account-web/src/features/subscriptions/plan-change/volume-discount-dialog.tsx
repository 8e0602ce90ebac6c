import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { quoteSearch } from '../../../page/use-quote-dialog.ts'
import { noDialog, useSubscriptionDialog } from '../use-subscription-dialog.ts'
import { wholeQuantity } from './plan-change.rules.ts'
import type { ChangeProps } from './use-plan-change.ts'

/** Volume Discount: more than can be bought here is a matter for sales (001 §5). Without it, the most stays chosen. */
export function VolumeDiscountDialog({ change: { detail, typed, setTyped } }: Pick<ChangeProps, 'change'>) {
  const { t } = useTranslation('subscription-changes')
  const { replace } = useSubscriptionDialog()
  const { appCode: productCode, stripeSubscriptionId: number, maxIncrease } = detail
  const chooseMost = () => setTyped(String(maxIncrease))

  // One dialog at a time.
  const requestQuote = () =>
    replace({ ...noDialog, ...quoteSearch('volume', { productCode, seats: wholeQuantity(typed), number }) })

  return (
    <DialogFrame title={t('change.volume.title')} onClose={chooseMost}>
      <p>{t('change.volume.sentence', { max: maxIncrease })}</p>
      <DialogActions>
        <Button variant="default" onClick={chooseMost}>
          {t('change.volume.no')}
        </Button>
        <Button onClick={requestQuote} data-autofocus>
          {t('change.volume.request')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
