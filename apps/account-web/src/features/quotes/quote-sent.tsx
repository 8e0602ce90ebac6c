import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Button } from '@mantine/core'
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
  const { t: common } = useTranslation('common')

  return (
    <DialogFrame title={title} onClose={onClose}>
      <p role="status">{t('sent', { email })}</p>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
