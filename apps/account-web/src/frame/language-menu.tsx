import type { Locale } from '@atrium/contract/locale.ts'
import { locales } from '@atrium/contract/locale.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { HeaderMenu } from './header-menu.tsx'
import classes from './header-menus.module.css'

interface Props {
  onChoose(locale: Locale): void
}

/** The ten languages by native name. */
export function LanguageMenu({ onChoose }: Props) {
  const { t } = useTranslation('common')
  const current = useLocale()
  const name = locales.find(({ code }) => code === current)?.name ?? ''
  const entries = locales.map((locale) => ({
    key: locale.code,
    label: locale.name,
    lang: locale.code,
    isCurrent: locale.code === current,
    onChoose: () => onChoose(locale),
  }))

  return (
    <HeaderMenu width={200} entries={entries}>
      <IconLanguage size={18} stroke={1.6} aria-hidden />
      <VisuallyHidden>{t('language')}</VisuallyHidden>
      <span className={classes.wide}>{name}</span>
      <span className={classes.narrow}>{current.slice(0, 2).toUpperCase()}</span>
      <IconChevronDown size={15} stroke={1.8} aria-hidden />
    </HeaderMenu>
  )
}
