import { type Locale, localePath } from '@atrium/contract/locale.ts'
import { localeCookie } from '@atrium/ui/locale.ts'
import { useMember } from '../page/member.data.ts'
import { usePage } from '../page/page-data.ts'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { PersonMenu } from './person-menu.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Language, color scheme, and the signed-in person: not the member, where a support agent looks at their account. */
export function HeaderMenus() {
  const { support, basePath } = usePage()
  return (
    <>
      <LanguageMenu onChoose={(locale) => openInLanguage(locale, basePath)} />
      <ColorSchemeMenu />
      {!support && <OwnMenu />}
    </>
  )
}

function OwnMenu() {
  const { firstName, lastName, email } = useMember()
  const signOut = useSignOut()
  return <PersonMenu firstName={firstName} lastName={lastName} email={email} onSignOut={signOut} />
}

/** Sets the cookie first: otherwise the server would redirect an address without prefix to the old language. */
function openInLanguage(locale: Locale, basePath: string) {
  // Not the Cookie Store: its cookies are always `Secure`, which fails on plain http in development.
  Object.assign(document, { cookie: localeCookie(locale, location.protocol) })
  location.assign(basePath + localePath(locale, '/account') + location.search + location.hash)
}
