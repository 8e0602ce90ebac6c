import { CloseAction } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useTranslation } from 'react-i18next'

interface Props {
  title: string
  /** Where the copy was sent. */
  email: string
  onClose(): void
}

/** When sales will answer; stays until it was read. */
export function QuoteSent({ title, email, onClose }: Props) {
  const { t } = useTranslation('quotes')

  return (
    <DialogFrame title={title} onClose={onClose}>
      <p role="status">{t('sent', { email })}</p>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}
