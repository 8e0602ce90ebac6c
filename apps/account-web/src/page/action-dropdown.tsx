import { Menu } from '@mantine/core'
import { IconArrowUpRight, IconDownload } from '@tabler/icons-react'
import { type Action, ActionRoot } from './action-root.tsx'
import { MenuDropdown, type OpenMenu } from './menu-dropdown.tsx'

interface Props extends OpenMenu {
  actions: readonly Action[]
}

/** The open menu of an `ActionMenu`. */
export function ActionDropdown({ actions, ...menu }: Props) {
  // The dialog that opens returns the focus to the button, not to an entry of the closed menu.
  const focusButton = () => menu.target.focus()

  return (
    <MenuDropdown {...menu}>
      {actions.map((action) => (
        <Menu.Item
          key={action.key}
          onClick={focusButton}
          onMouseEnter={action.onPreload}
          onFocus={action.onPreload}
          rightSection={action.href && <OutsideIcon action={action} />}
          renderRoot={(root) => <ActionRoot action={action} {...root} />}
          {...(action.isDestructive && { color: 'var(--bad-text)' })}
        >
          {action.label}
        </Menu.Item>
      ))}
    </MenuDropdown>
  )
}

function OutsideIcon({ action }: { action: Action }) {
  const Icon = action.isDownload ? IconDownload : IconArrowUpRight
  return <Icon size={15} stroke={1.6} aria-hidden />
}
