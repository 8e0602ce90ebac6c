import { CloseAction } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { useTranslation } from 'react-i18next'

/** PayPal holds the payment back: the change is made once it is released, without the page. */
export function PaymentProcessing({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('subscription-changes')
  return (
    <DialogFrame title={t('paypal.title')} onClose={onClose}>
      <div role="status">
        <Notice tone="info">{t('paypal.processing')}</Notice>
      </div>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}
