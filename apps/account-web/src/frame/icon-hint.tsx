import { Tooltip } from '@mantine/core'
import type { RefObject } from 'react'

export interface IconHintProps {
  label: string
  target: RefObject<HTMLElement | null>
}

/** The tooltip of an icon. Mounted to show. */
export function IconHint({ label, target }: IconHintProps) {
  return <Tooltip label={label} target={target} position="right" opened />
}
