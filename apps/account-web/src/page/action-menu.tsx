import { ActionIcon } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { Action } from './action-root.tsx'
import { loadableDialog } from './loadable-dialog.tsx'
import classes from './object-actions.module.css'
import { useMenuButton } from './use-menu-button.ts'

const { Dialog: ActionDropdown, preload } = loadableDialog(
  async () => (await import('./action-dropdown.tsx')).ActionDropdown,
)

interface Props {
  label: string
  actions: readonly Action[]
  /** Gets the focus if the menu disappears with the chosen action. */
  fallback?: RefObject<HTMLElement | null>
}

/** The less likely actions of an object, behind three dots. Its code is loaded on hover or focus. */
export function ActionMenu({ label, actions, fallback }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { button, menu } = useMenuButton(preload)
  useFocusFallback(place, fallback)

  return (
    <div ref={place} className={classes.menu}>
      <ActionIcon {...button} variant="subtle" color="gray" className={classes.more ?? ''} aria-label={label}>
        <IconDots size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      {menu && <ActionDropdown {...menu} actions={actions} />}
    </div>
  )
}

/** Moves the focus to `fallback` when the part unmounts with it. */
function useFocusFallback(part: RefObject<HTMLElement | null>, fallback?: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const leaving = part.current
    return () => {
      if (leaving?.contains(document.activeElement)) fallback?.current?.focus({ preventScroll: true })
    }
  }, [part, fallback])
}
