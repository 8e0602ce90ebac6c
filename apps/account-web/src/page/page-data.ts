import { english, type Locale, localeByCode } from '@atrium/contract/locale.ts'
import { PageData, type PageSettings, type SessionMember } from '@atrium/contract/session.ts'
import { createContext, use } from 'react'

export interface Page {
  data: PageData
  locale: Locale
  nonce: string
}

/** The data of a page for a signed-in member, for all screens. */
export interface MemberPage {
  locale: Locale
  settings: PageSettings
  member: SessionMember
}

/** Reads the data that the server put into the page. */
export function readPage(document: Document): Page {
  const element = document.getElementById('page-data')
  const data = PageData.parse(JSON.parse(element?.textContent ?? 'null'))
  return { data, locale: localeByCode(data.locale) ?? english, nonce: element?.nonce ?? '' }
}

export const PageContext = createContext<MemberPage | undefined>(undefined)

export function usePage(): MemberPage {
  const page = use(PageContext)
  if (!page) throw new Error('There is no page around this component.')
  return page
}
