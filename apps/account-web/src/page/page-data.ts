import { english, type Locale, localeByCode } from '@atrium/contract/locale.ts'
import { PageData, type PageSettings, type SessionMember, type SupportPage } from '@atrium/contract/session.ts'
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
  /** Epoch seconds until which the member lets support in, when the page was loaded; 0: they do not. */
  supportAccessUntil: number
  /** `null`: the member's own page. Otherwise it is shown to a support agent, who reads only. */
  support: SupportPage | null
  /** What stands before the paths of the page and its calls: `/support` for a support agent, or nothing. */
  basePath: string
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
