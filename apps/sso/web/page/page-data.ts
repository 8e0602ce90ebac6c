import { createContext, use } from 'react'
import type { PageData } from '../../src/wire.ts'

export interface CurrentPage {
  data: PageData
  nonce: string
}

/** Reads what the server wrote into the page: the same program wrote it, so that its form is known. */
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

/** A link to another page of ours that keeps where the visitor wanted to go. */
export function linkTo(path: string, service: string | null): string {
  return service ? `${path}?service=${encodeURIComponent(service)}` : path
}

/** The token of a mailed link. It stands behind `#`, which browsers send to no server. */
export function tokenInAddress(hash: string): string {
  return new URLSearchParams(hash.slice(1)).get('token') ?? ''
}
