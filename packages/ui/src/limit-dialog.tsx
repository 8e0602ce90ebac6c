import { CloseAction } from './dialog-actions.tsx'
import { DialogFrame } from './dialog-frame.tsx'
import { Notice } from './notice.tsx'

interface Props {
  /** The requested action. */
  title: string
  /** Why the limit is reached; shown instead of the form (000 §5). */
  sentence: string
  onClose(): void
}

export function LimitDialog({ title, sentence, onClose }: Props) {
  return (
    <DialogFrame title={title} onClose={onClose}>
      <Notice tone="warning">{sentence}</Notice>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}
