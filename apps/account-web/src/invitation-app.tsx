import { BrandProvider } from '@atrium/ui/brand-provider.tsx'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { i18n as Texts } from 'i18next'
import { StrictMode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { InvitationPage } from './features/invitations/invitation-page.tsx'
import { signUpInstead, storeInvitation, withHint } from './frame/invitation-address.ts'
import type { Page } from './page/page-data.ts'

interface Props {
  page: Page
  token: string
  i18n: Texts
  queryClient: QueryClient
}

/** The page of an invitation's link. It stands without the account's frame: whoever opens it may have no account yet. */
export function InvitationApp({ page, token, i18n, queryClient }: Props) {
  const { signInUrl, settings } = page.data

  const store = () => storeInvitation(sessionStorage, token)

  function goTo(address: string | null, email: string) {
    if (address === null) return
    store()
    location.assign(withHint(address, email))
  }

  const signUpUrl = signInUrl && settings.passwordUrl === null ? signUpInstead(signInUrl, settings.ssoUrl) : null

  return (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrandProvider brandColor={settings.brandColor} nonce={page.nonce}>
          <QueryClientProvider client={queryClient}>
            <InvitationPage
              page={page}
              token={token}
              onSignIn={(email) => goTo(signInUrl, email)}
              onSignUp={signUpUrl ? (email) => goTo(signUpUrl, email) : undefined}
              onLeave={store}
            />
          </QueryClientProvider>
        </BrandProvider>
      </I18nextProvider>
    </StrictMode>
  )
}
