import { Tooltip } from '@mantine/core'
import type { RefObject } from 'react'

export interface IconHintProps {
  label: string
  target: RefObject<HTMLElement | null>
}

/** What an icon means, beside it. Mounted to be seen. */
export function IconHint({ label, target }: IconHintProps) {
  return <Tooltip label={label} target={target} position="right" opened />
}
