import { Menu, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './header-menus.module.css'

const choices = [
  { scheme: 'light', Icon: IconSun },
  { scheme: 'dark', Icon: IconMoon },
  { scheme: 'auto', Icon: IconDeviceDesktop },
] as const

/** Light, dark, or as the system has it. */
export function ColorSchemeMenu() {
  const { t } = useTranslation('common')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const Shown = shown === 'dark' ? IconMoon : IconSun

  return (
    <Menu position="bottom-end" width={180} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.trigger} aria-label={t('scheme.name')}>
          <Shown size={18} stroke={1.6} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(({ scheme, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} stroke={1.6} aria-hidden />}
            rightSection={scheme === colorScheme ? <IconCheck size={16} aria-hidden /> : undefined}
            aria-current={scheme === colorScheme || undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`scheme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
