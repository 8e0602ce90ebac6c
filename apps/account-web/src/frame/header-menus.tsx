import { type Locale, localePath } from '@atrium/contract/locale.ts'
import { localeCookie } from '@atrium/ui/locale.ts'
import { useMember } from '../page/member.data.ts'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Language, color scheme, and who is signed in. */
export function HeaderMenus() {
  const { firstName, lastName, email } = useMember()
  const signOut = useSignOut()

  return (
    <>
      <LanguageMenu onChoose={openInLanguage} />
      <ColorSchemeMenu />
      <PersonMenu firstName={firstName} lastName={lastName} email={email} onSignOut={signOut} />
    </>
  )
}

/** The cookie first, or the server would send an address without prefix back to the old language. */
function openInLanguage(locale: Locale) {
  // Not the Cookie Store: what it writes is always `Secure`, which plain http on a developer's machine could not change.
  Object.assign(document, { cookie: localeCookie(locale, location.protocol) })
  location.assign(localePath(locale, '/account') + location.search + location.hash)
}
