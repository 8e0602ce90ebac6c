import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactElement, ReactNode } from 'react'
import classes from './devices.module.css'

interface Props {
  /** Shown on hover, focus or touch. */
  explanation: string
  /** The explained element, which takes the focus. */
  children: ReactElement
}

/** An element with an explanation for pointer, keyboard and touch. */
export function Explained({ explanation, children }: Props) {
  return (
    <Tooltip
      label={explanation}
      multiline
      w={280}
      position="top-end"
      events={{ hover: true, focus: true, touch: true }}
      interactive
      withinPortal={false}
      classNames={{ tooltip: classes.explanation ?? '' }}
    >
      {children}
    </Tooltip>
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
