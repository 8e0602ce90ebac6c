import { type Locale, localePath } from '@atrium/contract/locale.ts'
import { localeCookie } from '@atrium/ui/locale.ts'

/** Sets the cookie first: otherwise the server would redirect an address without prefix to the old language. */
export function openInLanguage(locale: Locale, basePath: string) {
  // Not the Cookie Store: its cookies are always `Secure`, which fails on plain http in development.
  Object.assign(document, { cookie: localeCookie(locale, location.protocol) })
  location.assign(basePath + localePath(locale, '/account') + location.search + location.hash)
}
