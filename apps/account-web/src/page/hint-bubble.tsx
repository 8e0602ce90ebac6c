import { Tooltip, type TooltipProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'

export interface HintBubbleProps extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'w'> {
  id: string
  target: HTMLElement
  onClose(): void
}

/** The text of a `Hint`. Mounted to show; Escape closes it. */
export function HintBubble({ onClose, ...tooltip }: HintBubbleProps) {
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose())

  return <Tooltip {...tooltip} opened />
}
