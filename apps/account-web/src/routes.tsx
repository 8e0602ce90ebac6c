import { localePath } from '@atrium/contract/locale.ts'
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { addressSearch, readSearch, writeSearch } from './address-search.ts'
import type { MemberPage } from './page-data.ts'
import { AccountPage } from './shell/account-page.tsx'

const rootRoute = createRootRoute()

/** One page that switches on `tab` (000 §2); a language's prefix stands before all of its addresses. */
export function newRouter({ locale, settings }: Pick<MemberPage, 'locale' | 'settings'>) {
  const accountRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    validateSearch: (raw: Record<string, unknown>) => addressSearch(raw, settings),
    component: AccountPage,
  })

  return createRouter({
    routeTree: rootRoute.addChildren([accountRoute]),
    basepath: localePath(locale, '') || '/',
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    // What no tab knows does not stay in the address.
    search: { strict: true },
    scrollRestoration: true,
    defaultPreload: false,
  })
}
