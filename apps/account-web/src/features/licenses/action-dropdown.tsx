import { Menu } from '@mantine/core'
import { IconArrowUpRight, IconDownload } from '@tabler/icons-react'
import { MenuDropdown, type OpenMenu } from '../../page/menu-dropdown.tsx'
import { type Action, ActionRoot } from './action-root.tsx'

interface Props extends OpenMenu {
  actions: readonly Action[]
}

/** The other actions of a license. */
export function ActionDropdown({ actions, ...menu }: Props) {
  return (
    <MenuDropdown {...menu}>
      {actions.map((action) => (
        <Menu.Item
          key={action.key}
          rightSection={action.href && <OutsideIcon action={action} />}
          renderRoot={(root) => <ActionRoot action={action} {...root} />}
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
