import type { Locale } from '@atrium/contract/locale.ts'
import { locales } from '@atrium/contract/locale.ts'
import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './header-menus.module.css'
import { useLocale } from './locale.ts'

interface Props {
  onChoose(locale: Locale): void
}

/** The ten languages, each by its own name. */
export function LanguageMenu({ onChoose }: Props) {
  const { t } = useTranslation('common')
  const current = useLocale()
  const name = locales.find(({ code }) => code === current)?.name ?? ''

  return (
    <Menu position="bottom-end" width={200} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes.trigger}>
          <IconLanguage size={18} stroke={1.6} aria-hidden />
          <VisuallyHidden>{t('language')}</VisuallyHidden>
          <span className={classes.wide}>{name}</span>
          <span className={classes.narrow}>{current.slice(0, 2).toUpperCase()}</span>
          <IconChevronDown size={15} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {locales.map((locale) => (
          <Menu.Item
            key={locale.code}
            lang={locale.code}
            onClick={() => onChoose(locale)}
            aria-current={locale.code === current || undefined}
            rightSection={locale.code === current ? <IconCheck size={16} aria-hidden /> : undefined}
          >
            {locale.name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
