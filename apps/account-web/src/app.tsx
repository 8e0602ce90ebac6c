import type { PageData } from '@atrium/contract/session.ts'
import { BrandProvider } from '@atrium/ui/brand-provider.tsx'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { FormRefusalContext } from '@atrium/ui/form-refusal.ts'
import { Messages } from '@atrium/ui/messages.tsx'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import type { i18n as Texts } from 'i18next'
import { StrictMode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { NoticeContext } from './frame/page-notice.tsx'
import { SignInFailed } from './frame/sign-in-failed.tsx'
import { type MemberPage, type Page, PageContext } from './page/page-data.ts'
import type { newRouter } from './routes.tsx'

interface Props {
  page: MemberPage
  nonce: string
  notice: PageData['notice']
  i18n: Texts
  queryClient: QueryClient
  router: ReturnType<typeof newRouter>
}

/** A support agent opens what the customer opens, to explain it, but saves nothing. */
const readOnly = new CallProblem('support_read_only')

/** The page of a signed-in member. */
export function App({ page, nonce, notice, i18n, queryClient, router }: Props) {
  return (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrandProvider brandColor={page.settings.brandColor} nonce={nonce}>
          <QueryClientProvider client={queryClient}>
            <PageContext value={page}>
              <FormRefusalContext value={page.support ? readOnly : undefined}>
                <NoticeContext value={notice}>
                  <RouterProvider router={router} />
                  <Messages />
                </NoticeContext>
              </FormRefusalContext>
            </PageContext>
          </QueryClientProvider>
        </BrandProvider>
      </I18nextProvider>
    </StrictMode>
  )
}

/** The page of a visitor whose sign-in failed. */
export function SignInFailedApp({ page, i18n }: { page: Page; i18n: Texts }) {
  return (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrandProvider brandColor={page.data.settings.brandColor} nonce={page.nonce}>
          <SignInFailed brandName={page.data.settings.brandName} locale={page.locale} />
        </BrandProvider>
      </I18nextProvider>
    </StrictMode>
  )
}
