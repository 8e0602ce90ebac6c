import { BrandProvider } from '@atrium/ui/brand-provider.tsx'
import type { i18n } from 'i18next'
import { lazy, Suspense } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'
import { Frame } from './frame/frame.tsx'
import { type CurrentPage, PageContext } from './page/page-data.ts'
import { ChoosePasswordScreen } from './screens/choose-password-screen.tsx'
import { ConfirmEmailScreen } from './screens/confirm-email-screen.tsx'
import { ForgottenPasswordScreen } from './screens/forgotten-password-screen.tsx'
import { MessageScreen } from './screens/message-screen.tsx'
import { ProgramScreen } from './screens/program-screen.tsx'
import { SignInCodeScreen } from './screens/sign-in-code-screen.tsx'
import { SignInScreen } from './screens/sign-in-screen.tsx'
import { SignUpScreen } from './screens/sign-up-screen.tsx'
import { SignedInScreen } from './screens/signed-in-screen.tsx'

const ResetPasswordPopup = lazy(async () => ({
  default: (await import('./popup/reset-password-popup.tsx')).ResetPasswordPopup,
}))

const LinkAccountPopup = lazy(async () => ({
  default: (await import('./popup/link-account-popup.tsx')).LinkAccountPopup,
}))
const UnlinkAccountPopup = lazy(async () => ({
  default: (await import('./popup/unlink-account-popup.tsx')).UnlinkAccountPopup,
}))
const ProviderReturnScreen = lazy(async () => ({
  default: (await import('./providers/provider-return-screen.tsx')).ProviderReturnScreen,
}))

interface Props {
  page: CurrentPage
  i18n: i18n
}

export function App({ page, i18n }: Props) {
  return (
    <BrandProvider brandColor={page.data.brandColor} nonce={page.nonce}>
      <I18nextProvider i18n={i18n}>
        <PageContext value={page.data}>
          <Frame>
            <Suspense fallback={<Busy />}>
              <Screen page={page.data.page} />
            </Suspense>
          </Frame>
        </PageContext>
      </I18nextProvider>
    </BrandProvider>
  )
}

function Screen({ page }: { page: CurrentPage['data']['page'] }) {
  switch (page.name) {
    case 'sign-in':
      return <SignInScreen page={page} />
    case 'program':
      return <ProgramScreen page={page} />
    case 'sign-in-code':
      return <SignInCodeScreen page={page} />
    case 'sign-up':
      return <SignUpScreen page={page} />
    case 'forgotten-password':
      return <ForgottenPasswordScreen page={page} />
    case 'confirm-email':
      return <ConfirmEmailScreen />
    case 'choose-password':
      return <ChoosePasswordScreen page={page} />
    case 'reset-password':
      return <ResetPasswordPopup />
    case 'link-account':
      return <LinkAccountPopup provider={page.provider} />
    case 'unlink-account':
      return <UnlinkAccountPopup accountId={page.accountId} />
    case 'provider-return':
      return <ProviderReturnScreen page={page} />
    case 'signed-in':
      return <SignedInScreen email={page.email} />
    case 'signed-out':
    case 'refused-service':
    case 'malformed':
    case 'not-found':
    case 'unavailable':
      return <MessageScreen name={page.name} />
  }
}

function Busy() {
  const { t } = useTranslation()
  return <p role="status">{t('frame.busy')}</p>
}
