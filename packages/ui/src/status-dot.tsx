import type { ReactNode } from 'react'
import type { Tone } from './notice.tsx'
import classes from './status-dot.module.css'

interface Props {
  tone: Tone
  children: ReactNode
}

/** A state: a dot and its word, so that nobody has to tell colors apart. */
export function StatusDot({ tone, children }: Props) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  )
}
