import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { loadableDialog } from '../page/loadable-dialog.tsx'
import { useMenuButton } from '../page/use-menu-button.ts'
import type { HeaderDropdownProps } from './header-dropdown.tsx'
import classes from './header-menus.module.css'

interface Props extends Pick<HeaderDropdownProps, 'width' | 'head' | 'entries'> {
  /** Where what stands on the button does not say it. */
  label?: string
  /** What stands on the button. */
  children: ReactNode
}

const { Dialog: Dropdown, preload } = loadableDialog(async () => (await import('./header-dropdown.tsx')).HeaderDropdown)

/** A button of the header, and the menu that it opens. The menu's code comes when the reader is about to open one. */
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
