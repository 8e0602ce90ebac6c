import type { Locale } from '@atrium/contract/locale.ts'
import type { PageSettings } from '@atrium/contract/session.ts'
import { type AccountTab, accountTabs, hasGrid, menuEntryOf, tabGroups, tabNamed } from '@atrium/contract/tabs.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'
import { type Brand, brandColors, brandSign } from './brand.ts'

interface Wanted {
  locale: Locale
  settings: PageSettings
  /** As written in the address. */
  tab: string | undefined
}

/**
 * The frame of a member's page, as it looks before its script has loaded: brand, menu, title, lead, and a skeleton of what comes. Drawn with
 * the styles in the page itself (`boot.css`); the script replaces it.
 */
export function firstPaint({ locale, settings, tab: wanted }: Wanted): string {
  const t = serverTexts(locale.folder, 'frame')
  const tabs = accountTabs(settings)
  const tab = tabNamed(tabs, wanted)
  const lead = t(`leads.${tab.name}`, { defaultValue: '' })
  const brand = brandOf(settings)
  return `<div class="boot" id="first-paint" aria-hidden="true" style="${escapeHtml(brandColors(settings))}">
    <div class="boot-menu">${brand}${tabGroups.map((group) => groupOf(group)).join('')}</div>
    <div class="boot-page">
      <div class="boot-header">${brand}</div>
      <div class="boot-main">
        <div class="boot-title">
          <h1>${escapeHtml(t(`tabs.${tab.name}`))}</h1>
          ${lead && `<p>${escapeHtml(lead)}</p>`}
        </div>
        ${hasGrid(tab) ? grid : rows}
      </div>
    </div>
  </div>`

  function groupOf({ name, hasHeading }: (typeof tabGroups)[number]): string {
    const entries = tabs.filter((entry) => entry.group === name && menuEntryOf(entry) === entry.name)
    if (entries.length === 0) return ''
    const heading = hasHeading ? `<div class="boot-heading">${escapeHtml(t(`groups.${name}`))}</div>` : ''
    return `<div class="boot-group">${heading}${entries.map(entryOf).join('')}</div>`
  }

  function entryOf(entry: AccountTab): string {
    const label = t(`entries.${entry.name}`, { defaultValue: t(`tabs.${entry.name}`) })
    const current = entry.name === menuEntryOf(tab) ? ' data-current' : ''
    return `<div class="boot-entry"${current}>${escapeHtml(label)}</div>`
  }
}

/** The title of the document. */
export function documentTitle({ locale, settings, tab }: Wanted): string {
  const { name } = tabNamed(accountTabs(settings), tab)
  return `${serverTexts(locale.folder, 'frame')(`tabs.${name}`)} · ${settings.brandName}`
}

function brandOf({ brandName }: Brand): string {
  return `<div class="boot-brand">${brandSign}<span>${escapeHtml(brandName)}</span></div>`
}

const line = '<div class="boot-line"><span></span><span></span></div>'
const rows = `<div class="boot-card">${line.repeat(5)}</div>`
const grid = `<div class="boot-grid">${`<div class="boot-card">${line.repeat(3)}</div>`.repeat(3)}</div>`
