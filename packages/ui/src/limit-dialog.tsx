import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DialogActions, DialogFrame } from './dialog-frame.tsx'
import { Notice } from './notice.tsx'

interface Props {
  /** The requested action. */
  title: string
  /** Why the limit is reached; shown instead of the form (000 §5). */
  sentence: string
  onClose(): void
}

export function LimitDialog({ title, sentence, onClose }: Props) {
  const { t } = useTranslation('common')

  return (
    <DialogFrame title={title} onClose={onClose}>
      <Notice tone="warning">{sentence}</Notice>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('close')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
