import { localePath } from '@atrium/contract/locale.ts'
import { menuEntryOf, tabGroups } from '@atrium/contract/tabs.ts'
import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { UnstyledButton } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../page/hint.tsx'
import { usePage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import { MenuEntry } from './menu-entry.tsx'
import classes from './side-menu.module.css'
import { useTabs } from './use-tabs.ts'

/** Groups with at least one entry. */
function groupsOf(tabs: readonly Tab[]) {
  const entries = tabs.filter((tab) => menuEntryOf(tab) === tab.name)
  return tabGroups
    .map((group) => ({ ...group, tabs: entries.filter(({ group: name }) => name === group.name) }))
    .filter((group) => group.tabs.length > 0)
}

interface Props {
  tab: Tab
  /** Icons with labels; otherwise icons with tooltips. */
  isWide: boolean
  /** In the drawer, which has the brand in its own header. */
  isDrawer?: boolean
  /** On a tablet the menu can be expanded and collapsed. */
  onToggle?(): void
  onOpened?(): void
}

export function SideMenu({ tab, isWide, isDrawer = false, onToggle, onOpened }: Props) {
  const { t } = useTranslation('frame')
  const { settings, locale } = usePage()
  const tabs = useTabs()
  return (
    <nav className={classes.menu} aria-label={t('menu.name')} data-narrow={!isWide || undefined}>
      {!isDrawer && (
        <div className={classes.brand}>
          <BrandMark name={settings.brandName} isSmall={!isWide} />
        </div>
      )}
      <div className={classes.groups}>
        {groupsOf(tabs).map(({ name, hasHeading, tabs: children }) => (
          <div
            key={name}
            className={classes.group}
            {...(hasHeading && { role: 'group', 'aria-label': t(`groups.${name}`) })}
          >
            {hasHeading && isWide && (
              <div className={classes.heading} aria-hidden="true">
                {t(`groups.${name}`)}
              </div>
            )}
            {children.map((child) => (
              <MenuEntry
                key={child.name}
                tab={child}
                isCurrent={child.name === menuEntryOf(tab)}
                isWide={isWide}
                {...(onOpened && { onOpened })}
              />
            ))}
          </div>
        ))}
      </div>
      <div className={classes.foot}>
        {isWide && (
          <a
            className={classes.privacy}
            href={`${settings.siteUrl}${localePath(locale, '/company/privacy-policy.html')}`}
          >
            {t('menu.privacy')}
          </a>
        )}
        {onToggle && <Toggle isWide={isWide} onToggle={onToggle} />}
      </div>
    </nav>
  )
}

function Toggle({ isWide, onToggle }: { isWide: boolean; onToggle(): void }) {
  const { t } = useTranslation('frame')
  const label = t(isWide ? 'menu.collapse' : 'menu.expand')
  const Icon = isWide ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand

  return (
    <Hint label={label} position="right" isOff={isWide}>
      <UnstyledButton className={classes.toggle ?? ''} onClick={onToggle} aria-label={label} aria-expanded={isWide}>
        <Icon size={20} stroke={1.5} aria-hidden />
      </UnstyledButton>
    </Hint>
  )
}
