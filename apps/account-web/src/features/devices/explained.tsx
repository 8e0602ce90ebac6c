import { UnstyledButton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { HTMLAttributes, ReactElement, ReactNode } from 'react'
import { Hint } from '../../page/hint.tsx'
import classes from './devices.module.css'

interface Props {
  /** Shown on hover, focus or touch. */
  explanation: string
  /** The explained element, which takes the focus and does nothing. */
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/** An element with an explanation for pointer, keyboard and touch. */
export function Explained({ explanation, children }: Props) {
  return (
    <Hint label={explanation} multiline w={280} position="top-end" withinPortal={false} opensOnTap>
      {children}
    </Hint>
  )
}

/** A word marked as having an explanation. */
export function ExplainedWord({ explanation, children }: Pick<Props, 'explanation'> & { children: ReactNode }) {
  return (
    <Explained explanation={explanation}>
      <UnstyledButton className={classes.explained ?? ''}>
        {children}
        <IconInfoCircle size={15} stroke={1.6} aria-hidden />
      </UnstyledButton>
    </Explained>
  )
}
