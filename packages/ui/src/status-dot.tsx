import type { ReactNode } from 'react'
import type { Tone } from './notice.tsx'
import classes from './status-dot.module.css'

interface Props {
  tone: Tone
  children: ReactNode
}

/** A state as a dot and a word, so that color is not the only cue. */
export function StatusDot({ tone, children }: Props) {
  return (
    <span className={classes.status} data-tone={tone}>
      {children}
    </span>
  )
}
