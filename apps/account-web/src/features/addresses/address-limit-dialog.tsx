import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** There are ten: told before anything is typed (000 §5). */
export function AddressLimitDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('addresses')
  const { t: common } = useTranslation('common')
  const { t: problems } = useTranslation('problems')

  return (
    <DialogFrame title={t('add')} onClose={onClose}>
      <Notice tone="warning">{problems('address_limit')}</Notice>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
