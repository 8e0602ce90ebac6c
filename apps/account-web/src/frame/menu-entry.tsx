import { IconArrowUpRight } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Hint } from '../page/hint.tsx'
import { usePage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import { preloadTab } from './preload-tab.ts'
import classes from './side-menu.module.css'
import { useTabs } from './use-tabs.ts'

interface Props {
  tab: Tab
  isCurrent: boolean
  isWide: boolean
  onOpened?(): void
}

/** A tab in the menu. Preloads its code, texts and data on hover or focus. */
export function MenuEntry({ tab, isCurrent, isWide, onOpened }: Props) {
  const { t } = useTranslation('frame')
  const queryClient = useQueryClient()
  const page = usePage()
  const tabs = useTabs()
  const label = tab.hasShortName ? t(`entries.${tab.name}`) : t(`tabs.${tab.name}`)
  const inside = (
    <>
      <tab.Icon size={20} stroke={1.5} className={classes.icon} aria-hidden />
      {isWide && <span className={classes.label}>{label}</span>}
    </>
  )

  if ('address' in tab) {
    return (
      <Hint label={label} position="right" isOff={isWide}>
        <a
          className={classes.entry}
          href={page.settings[tab.address]}
          target="_blank"
          rel="noopener"
          aria-label={t('menu.external', { label })}
        >
          {inside}
          {isWide && <IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
        </a>
      </Hint>
    )
  }

  const preload = () => void preloadTab({ tabs, queryClient, page, search: `?tab=${tab.name}` })
  return (
    <Hint label={label} position="right" isOff={isWide}>
      <Link
        to="/account"
        search={{ tab: tab.name }}
        className={classes.entry}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={isWide ? undefined : label}
        onMouseEnter={preload}
        onFocus={preload}
        onClick={onOpened}
      >
        {inside}
      </Link>
    </Hint>
  )
}
