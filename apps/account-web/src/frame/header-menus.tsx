import { useMember } from '../page/member.data.ts'
import { usePage } from '../page/page-data.ts'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import { PaletteButton } from './command-palette/palette-button.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { openInLanguage } from './open-in-language.ts'
import { PersonMenu } from './person-menu.tsx'
import { useSignOut } from './use-sign-out.ts'

/** The command palette, language, color scheme, and the signed-in person: not the member, where a support agent looks at their account. */
export function HeaderMenus() {
  const { support, basePath } = usePage()
  return (
    <>
      <PaletteButton />
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
