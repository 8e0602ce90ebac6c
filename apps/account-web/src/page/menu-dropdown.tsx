import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { Menu } from '@mantine/core'
import { type ReactNode, type Ref, useEffect, useImperativeHandle } from 'react'

export interface OpenMenu {
  /** The button has the id `…-target`. */
  id: string
  target: HTMLElement
  onClose(): void
}

interface Props extends OpenMenu {
  /** Pixels. */
  width?: number
  /** Mantine's `Menu.Item` and what may stand between them. */
  children: ReactNode
}

/** The menu of a button that is on the page already (`useMenuButton`). Mounted to open. */
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
        <ThatThere element={target} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

/** Stands for an element that is on the page already: it was there before this code. */
function ThatThere({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element])
  return null
}
