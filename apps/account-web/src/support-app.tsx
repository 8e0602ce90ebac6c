import { BrandProvider } from '@atrium/ui/brand-provider.tsx'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { i18n as Texts } from 'i18next'
import { StrictMode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { SupportFormPage } from './features/support/support-form-page.tsx'
import type { Page } from './page/page-data.ts'

interface Props {
  page: Page
  agentName: string
  i18n: Texts
  queryClient: QueryClient
}

/** The page on which a support agent chooses an account. It stands without the account's frame: there is none yet. */
export function SupportApp({ page, agentName, i18n, queryClient }: Props) {
  const { brandColor, brandName } = page.data.settings
  return (
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <BrandProvider brandColor={brandColor} nonce={page.nonce}>
          <QueryClientProvider client={queryClient}>
            <SupportFormPage brandName={brandName} agentName={agentName} />
          </QueryClientProvider>
        </BrandProvider>
      </I18nextProvider>
    </StrictMode>
  )
}
