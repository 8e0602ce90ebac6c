import { useQuery } from '@tanstack/react-query'
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  useId,
  useState,
} from 'react'
import type { HintBubbleProps } from './hint-bubble.tsx'
import { loadableCode } from './loadable-code.ts'

const { code } = loadableCode<HintBubbleProps>(async () => (await import('./hint-bubble.tsx')).HintBubble)

interface Props extends Omit<HintBubbleProps, 'id' | 'target' | 'onClose'> {
  /** Its text can be read anyway. */
  isOff?: boolean
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/** A tooltip for pointer and keyboard, never the only place of its text. Its code is loaded when it is first shown. */
export function Hint({ isOff = false, children, ...bubble }: Props) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const id = useId()
  const hide = () => setTarget(null)
  const isShown = target !== null && !isOff
  // An icon is named by its hint already.
  const isNamed = children.props['aria-label'] !== undefined

  return (
    <>
      {cloneElement(children, {
        ...(isShown && !isNamed && { 'aria-describedby': id }),
        onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
          if (pointerType === 'mouse') setTarget(currentTarget)
        },
        onPointerLeave: hide,
        onFocus: (event: FocusEvent<HTMLElement>) => {
          children.props.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) setTarget(event.currentTarget)
        },
        onBlur: hide,
      })}
      {isShown && <Bubble {...bubble} id={id} target={target} onClose={hide} />}
    </>
  )
}

function Bubble(props: HintBubbleProps) {
  const { data: Shown } = useQuery(code)
  return Shown && <Shown {...props} />
}
