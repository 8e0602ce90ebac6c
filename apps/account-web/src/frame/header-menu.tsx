import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { loadableDialog } from '../page/loadable-dialog.tsx'
import { useMenuButton } from '../page/use-menu-button.ts'
import type { HeaderDropdownProps } from './header-dropdown.tsx'
import classes from './header-menus.module.css'

interface Props extends Pick<HeaderDropdownProps, 'width' | 'head' | 'entries'> {
  /** Name of the button, unless its content says it. */
  label?: string
  /** Content of the button. */
  children: ReactNode
}

const { Dialog: Dropdown, preload } = loadableDialog(async () => (await import('./header-dropdown.tsx')).HeaderDropdown)

/** A header button and its menu, whose code is loaded on hover or focus. */
export function HeaderMenu({ label, children, ...dropdown }: Props) {
  const { button, menu } = useMenuButton(preload)

  return (
    <>
      <UnstyledButton {...button} className={classes.trigger ?? ''} aria-label={label}>
        {children}
      </UnstyledButton>
      {menu && <Dropdown {...menu} {...dropdown} />}
    </>
  )
}
