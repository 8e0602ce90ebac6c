import { createContext, use } from 'react'
import type { PageData, TicketMethod } from '../../src/wire.ts'

export interface CurrentPage {
  data: PageData
  nonce: string
}

/** Reads the data that the server wrote into the page. It is not validated, since the same program wrote it. */
export function readPage(document: Document): CurrentPage {
  const element = document.getElementById('page-data')
  const data = JSON.parse(element?.textContent ?? 'null') as PageData
  return { data, nonce: element?.nonce ?? '' }
}

export const PageContext = createContext<PageData | undefined>(undefined)

export function usePageData(): PageData {
  const data = use(PageContext)
  if (!data) throw new Error('There is no page around this component.')
  return data
}

interface Carried {
  /** What the form is filled with. */
  email?: string
  /** How the ticket is sent to the service. */
  method?: TicketMethod
}

/** A link to another of our pages that keeps the service, and how it takes its ticket. */
export function linkTo(path: string, service: string | null, { email = '', method = 'GET' }: Carried = {}): string {
  const query = new URLSearchParams({
    ...(service && { service }),
    ...(service && method !== 'GET' && { method }),
    ...(email && { email }),
  }).toString()
  return query === '' ? path : `${path}?${query}`
}

/** The token of an emailed link, from the fragment, which browsers never send to a server. */
export function tokenInAddress(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? ''
}
