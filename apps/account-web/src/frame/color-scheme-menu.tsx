import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { HeaderMenu } from './header-menu.tsx'

export const colorSchemes = [
  { scheme: 'light', Icon: IconSun },
  { scheme: 'dark', Icon: IconMoon },
  { scheme: 'auto', Icon: IconDeviceDesktop },
] as const

/** Light, dark, or the system's scheme. */
export function ColorSchemeMenu() {
  const { t } = useTranslation('common')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const Shown = shown === 'dark' ? IconMoon : IconSun
  const entries = colorSchemes.map(({ scheme, Icon }) => ({
    key: scheme,
    label: t(`scheme.${scheme}`),
    icon: <Icon size={16} stroke={1.6} aria-hidden />,
    isCurrent: scheme === colorScheme,
    onChoose: () => setColorScheme(scheme),
  }))

  return (
    <HeaderMenu width={180} label={t('scheme.name')} entries={entries}>
      <Shown size={18} stroke={1.6} aria-hidden />
    </HeaderMenu>
  )
}
