import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { clearMessages } from '@atrium/ui/success.ts'
import { breakpoints } from '@atrium/ui/theme.ts'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SupportBanner } from '../features/support/support-banner.tsx'
import { loadableDialog } from '../page/loadable-dialog.tsx'
import { usePage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import classes from './frame.module.css'
import { HeaderMenus } from './header-menus.tsx'
import { SideMenu } from './side-menu.tsx'

interface Props {
  tab: Tab
  children: ReactNode
}

const now = { getInitialValueInEffect: false }
const { Dialog: MenuDrawer, preload } = loadableDialog(async () => (await import('./menu-drawer.tsx')).MenuDrawer)

/** Header, side menu and content: a drawer on a phone, icons on a tablet, the full menu on a desktop (000 §9). */
export function Frame({ tab, children }: Props) {
  const { t } = useTranslation('frame')
  const isDesktop = useMediaQuery(`(min-width: ${breakpoints.desktop}px)`, true, now)
  const isPhone = useMediaQuery(`(max-width: ${breakpoints.tablet - 1}px)`, false, now)
  const [isExpanded, toggle] = useExpandedMenu()
  const content = useNewTab(tab.name)

  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      {!isPhone && (
        <div className={classes.menu} data-wide={isDesktop || isExpanded || undefined}>
          <SideMenu tab={tab} isWide={isDesktop || isExpanded} {...(!isDesktop && { onToggle: toggle })} />
        </div>
      )}
      <div className={classes.page}>
        <header className={classes.header}>
          {isPhone && <PhoneMenu tab={tab} />}
          <HeaderMenus />
        </header>
        <SupportBanner />
        <main className={classes.main} id="content" tabIndex={-1} ref={content}>
          {children}
        </main>
      </div>
    </div>
  )
}

function PhoneMenu({ tab }: { tab: Tab }) {
  const { t } = useTranslation('frame')
  const { settings } = usePage()
  const [isOpen, { open, close }] = useDisclosure(false)

  return (
    <div className={classes.phoneStart}>
      <button
        type="button"
        className={classes.burger}
        onClick={open}
        onPointerDown={preload}
        aria-label={t('menu.open')}
        aria-expanded={isOpen}
      >
        <IconMenu2 size={22} stroke={1.6} aria-hidden />
      </button>
      <BrandMark name={settings.brandName} />
      {isOpen && <MenuDrawer tab={tab} onClose={close} />}
    </div>
  )
}

const expandedKey = 'atrium-menu-expanded'

/** Whether a tablet's menu is expanded, which its browser remembers. */
function useExpandedMenu() {
  const [isExpanded, setExpanded] = useState(() => localStorage.getItem(expandedKey) !== null)

  function toggle() {
    if (isExpanded) localStorage.removeItem(expandedKey)
    else localStorage.setItem(expandedKey, 'yes')
    setExpanded(!isExpanded)
  }

  return [isExpanded, toggle] as const
}

/** Moves the focus to the start of a newly opened tab, for screen readers, and leaves the messages of the last one behind. */
function useNewTab(tabName: string) {
  const content = useRef<HTMLElement>(null)
  const shown = useRef(tabName)

  useEffect(() => {
    if (shown.current === tabName) return
    shown.current = tabName
    clearMessages()
    content.current?.focus({ preventScroll: true })
  }, [tabName])

  return content
}
