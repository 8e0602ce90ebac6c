import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { loadableCode } from '../page/loadable-code.ts'
import type { IconHintProps } from './icon-hint.tsx'

const { code } = loadableCode<IconHintProps>(async () => (await import('./icon-hint.tsx')).IconHint)

/** A tooltip for an icon without label. Its code is loaded on hover. */
export function useIconHint<Target extends HTMLElement>(label: string, isAlone: boolean) {
  const target = useRef<Target>(null)
  const [isNear, { open, close }] = useDisclosure(false)
  const hint = isAlone && isNear && <Hint label={label} target={target} />
  return { hint, target, onMouseEnter: open, onMouseLeave: close }
}

function Hint(props: IconHintProps) {
  const { data: Shown } = useQuery(code)
  return Shown && <Shown {...props} />
}
