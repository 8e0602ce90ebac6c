import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { Menu } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useImperativeHandle } from 'react'

export interface OpenMenu {
  /** The button's id is `…-target`. */
  id: string
  target: HTMLElement
  onClose(): void
}

interface Props extends OpenMenu {
  /** Pixels. */
  width?: number
  /** Mantine's `Menu.Item` and its siblings. */
  children: ReactNode
}

/** The menu of an existing button (`useMenuButton`). Mounted to open. */
export function MenuDropdown({ id, target, width, onClose, children }: Props) {
  useEffect(() => () => returnLostFocus(target), [target])

  return (
    <Menu
      id={id}
      opened
      onChange={(isOpen) => !isOpen && onClose()}
      position="bottom-end"
      {...(width !== undefined && { width })}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      returnFocus={false}
    >
      <Menu.Target>
        <ExistingTarget element={target} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** Gives Mantine an existing element as the menu's target. */
function ExistingTarget({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
