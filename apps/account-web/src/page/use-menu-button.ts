import { useDisclosure } from '@mantine/hooks'
import { useId, useState } from 'react'
import type { OpenMenu } from './menu-dropdown.tsx'

/** Props of a button whose menu is mounted to open. `preload` loads the menu's code. */
export function useMenuButton(preload: () => void) {
  const id = useId()
  const [target, setTarget] = useState<HTMLButtonElement | null>(null)
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const button = {
    ref: setTarget,
    id: `${id}-target`,
    'aria-haspopup': 'menu',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? `${id}-dropdown` : undefined,
    onClick: toggle,
    onMouseEnter: preload,
    onFocus: preload,
  } as const
  const menu: OpenMenu | undefined = isOpen && target ? { id, target, onClose: close } : undefined
  return { button, menu }
}
