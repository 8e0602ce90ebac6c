import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DialogActions, DialogFrame } from './dialog-frame.tsx'
import { Notice } from './notice.tsx'

interface Props {
  /** What was wanted. */
  title: string
  /** Why there can be no more: told before anything is typed (000 §5). */
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
