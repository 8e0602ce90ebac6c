import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** There are ten: told before anything is typed (000 §5). */
export function CardLimitDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const { t: problems } = useTranslation('problems')

  return (
    <DialogFrame title={t('add.title')} onClose={onClose}>
      <Notice tone="warning">{problems('card_limit')}</Notice>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {common('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
