import { type Locale, localePath } from '@atrium/contract/locale.ts'
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { AccountPage } from './frame/account-page.tsx'
import { addressSearch, readSearch, writeSearch } from './page/address-search.ts'
import type { Tab } from './page/tab.ts'

const rootRoute = createRootRoute()

/** One page that switches on `tab` (000 §2), with a language prefix, and below `basePath`. */
export function newRouter(locale: Locale, tabs: readonly Tab[], basePath: string) {
  const accountRoute = createRoute({
    getParentRoute: () => rootRoute,
    path: '/account',
    validateSearch: (raw: Record<string, unknown>) => addressSearch(raw, tabs),
    component: () => <AccountPage tabs={tabs} />,
  })

  return createRouter({
    routeTree: rootRoute.addChildren([accountRoute]),
    basepath: basePath + localePath(locale, '') || '/',
    parseSearch: readSearch,
    stringifySearch: writeSearch,
    // Removes parameters that no tab knows.
    search: { strict: true },
    scrollRestoration: true,
    defaultPreload: false,
  })
}
