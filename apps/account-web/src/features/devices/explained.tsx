import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactElement, ReactNode } from 'react'
import classes from './devices.module.css'

interface Props {
  /** Shown with the pointer, the keyboard's focus or a touch. */
  explanation: string
  /** What is explained: it takes the focus. */
  children: ReactElement
}

/** Something whose reason stands behind it, for a pointer, a keyboard and a finger. */
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

/** A word with a sign that there is more to know. */
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
