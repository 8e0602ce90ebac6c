export type Region = 'us' | 'eu' | 'ca' | 'au'

/** How the page was opened. */
export interface Visit {
  region: Region
  brandName: string
  /** The own address, as it is registered at the single sign-on. */
  service: string
  /** The page of the account area that led here, or its first page. */
  back: string
  /** Only what the browser says; a real service looks up whether the person belongs to it. */
  enterpriseId: string | undefined
  /** Of the single sign-on. */
  signInUrl: string
}

/** The own address in a region: never what a query says. */
export function serviceOf({ SANDBOX_URL }: { SANDBOX_URL: string }, region: Region): string {
  return `${SANDBOX_URL}/cloud/${region}`
}

/** Where a link leads back: into the account area, and nowhere else. */
export function wayBack({ PUBLIC_URL }: { PUBLIC_URL: string }, from: string | undefined): string {
  const url = URL.parse(from ?? '')
  return url?.origin === new URL(PUBLIC_URL).origin && url.username === '' ? url.href : `${PUBLIC_URL}/account`
}
