import { Tooltip, type TooltipProps } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'

export interface HintBubbleProps extends Pick<TooltipProps, 'label' | 'position' | 'multiline' | 'w' | 'withinPortal'> {
  id: string
  target: HTMLElement
  /** The pointer is on the bubble, and leaves it. */
  onEnter(): void
  onLeave(): void
  onClose(): void
}

/** The text of a `Hint`. Mounted to show; Escape, or a press elsewhere, closes it. */
export function HintBubble({ onEnter, onLeave, onClose, ...tooltip }: HintBubbleProps) {
  const { target } = tooltip
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && onClose())
  useWindowEvent('pointerdown', ({ target: pressed }) => {
    if (pressed instanceof Node && !target.contains(pressed)) onClose()
  })

  return <Tooltip {...tooltip} opened interactive ta="start" onPointerEnter={onEnter} onPointerLeave={onLeave} />
}
