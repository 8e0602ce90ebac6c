import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MenuDropdown, type OpenMenu } from '../page/menu-dropdown.tsx'

interface HeaderEntry {
  key: string
  label: string
  icon?: ReactNode
  isCurrent?: boolean
  /** Of the label, if not the page's. */
  lang?: string
  onChoose(): void
}

export interface HeaderDropdownProps extends OpenMenu {
  /** Pixels. */
  width: number
  head?: ReactNode
  entries: readonly HeaderEntry[]
}

export function HeaderDropdown({ head, entries, ...menu }: HeaderDropdownProps) {
  return (
    <MenuDropdown {...menu}>
      {head && (
        <>
          <Menu.Label>{head}</Menu.Label>
          <Menu.Divider />
        </>
      )}
      {entries.map(({ key, label, icon, isCurrent = false, lang, onChoose }) => (
        <Menu.Item
          key={key}
          lang={lang}
          leftSection={icon}
          rightSection={isCurrent ? <IconCheck size={16} aria-hidden /> : undefined}
          aria-current={isCurrent || undefined}
          onClick={onChoose}
        >
          {label}
        </Menu.Item>
      ))}
    </MenuDropdown>
  )
}
