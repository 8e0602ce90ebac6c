import { useQuery } from '@tanstack/react-query'
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
  useId,
  useRef,
  useState,
} from 'react'
import type { HintBubbleProps } from './hint-bubble.tsx'
import { loadableCode } from './loadable-code.ts'

const { code } = loadableCode<HintBubbleProps>(async () => (await import('./hint-bubble.tsx')).HintBubble)

interface Props extends Omit<HintBubbleProps, 'id' | 'target' | 'onEnter' | 'onLeave' | 'onClose'> {
  /** Its text can be read anyway. */
  isOff?: boolean
  /** Also by a tap, of what does nothing else. */
  opensOnTap?: boolean
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/** Milliseconds to move the pointer onto the bubble. */
const graceMs = 150

/** A tooltip for pointer and keyboard, never the only place of its text. Its code is loaded when it is first shown. */
export function Hint({ isOff = false, opensOnTap = false, children, ...bubble }: Props) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  const id = useId()
  const isShown = target !== null && !isOff
  // An icon is named by its hint already.
  const isNamed = children.props['aria-label'] === bubble.label

  const show = (element: HTMLElement) => {
    clearTimeout(leaving.current)
    setTarget(element)
  }
  const hide = () => setTarget(null)
  const leave = () => {
    clearTimeout(leaving.current)
    leaving.current = setTimeout(hide, graceMs)
  }

  return (
    <>
      {cloneElement(children, {
        ...(isShown && !isNamed && { 'aria-describedby': id }),
        onPointerEnter: ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
          if (pointerType === 'mouse') show(currentTarget)
        },
        onPointerLeave: leave,
        onFocus: (event: FocusEvent<HTMLElement>) => {
          children.props.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) show(event.currentTarget)
        },
        onBlur: hide,
        ...(opensOnTap && {
          onClick: (event: MouseEvent<HTMLElement>) => {
            children.props.onClick?.(event)
            show(event.currentTarget)
          },
        }),
      })}
      {isShown && (
        <Bubble
          {...bubble}
          id={id}
          target={target}
          onEnter={() => clearTimeout(leaving.current)}
          onLeave={leave}
          onClose={hide}
        />
      )}
    </>
  )
}

function Bubble(props: HintBubbleProps) {
  const { data: Shown } = useQuery(code)
  return Shown && <Shown {...props} />
}
