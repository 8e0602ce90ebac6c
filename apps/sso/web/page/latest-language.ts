const key = 'sso-latest-language'

interface Visit {
  /** The language of the page. */
  locale: string
  /** Whether the person came by Back or Forward. */
  isBack: boolean
  href: string
  /** Of this window only. */
  storage: Pick<Storage, 'getItem' | 'setItem'>
}

/**
 * Back shows a page in the language that its address or the cookie had then, which may not be the one that the person has chosen on a
 * later page.
 * @returns where the page is in the language of the page that this window showed last, if it is another one
 */
export function addressInLatestLanguage({ locale, isBack, href, storage }: Visit): string | undefined {
  const latest = storage.getItem(key)
  if (!isBack || latest === null || latest === locale) {
    storage.setItem(key, locale)
    return undefined
  }
  const address = new URL(href)
  address.searchParams.set('locale', latest)
  return address.href
}

/** Shows the page in the latest language after Back. @returns whether it is being replaced */
export function goToLatestLanguage(locale: string): boolean {
  const [visit] = performance.getEntriesByType('navigation')
  // A page that the browser kept whole is not started again.
  addEventListener('pageshow', ({ persisted }) => persisted && replace(locale, true))
  return replace(locale, visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward')
}

function replace(locale: string, isBack: boolean): boolean {
  const address = addressInLatestLanguage({ locale, isBack, href: location.href, storage: sessionStorage })
  if (address) location.replace(address)
  return address !== undefined
}
