import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { useTranslation } from 'react-i18next'
import type { startLink } from '../../src/provider-wire.ts'
import { post } from '../api/post.ts'
import { usePageData } from '../page/page-data.ts'
import { Popup } from './popup-cards.tsx'
import { type PopupProof, ProofForm } from './proof-form.tsx'
import { usePopup } from './use-popup.ts'

/** Links a login provider: asks the account page who this is, then the person for a proof, and goes to the provider. */
export function LinkAccountPopup({ provider }: { provider: ProviderName }) {
  const { t } = useTranslation()
  const { t: common } = useTranslation('common')
  const { locale } = usePageData()
  const state = usePopup('linkAccount')
  const name = common(`providers.${provider}`)
  const title = t('linkAccount.title', { provider: name })

  async function send(proof: PopupProof) {
    const { redirectUrl } = await post<typeof startLink>('/sso/link-account/', { ...proof, provider, locale })
    location.assign(redirectUrl)
    // The button stays busy until the page is gone.
    return new Promise<never>(() => undefined)
  }

  return (
    <Popup title={title} state={state}>
      {(popup) => (
        <ProofForm
          popup={popup}
          send={send}
          title={title}
          lead={t(popup.hasPassword ? 'linkAccount.lead' : 'linkAccount.codeLead', {
            email: popup.email,
            provider: name,
          })}
          submitLabel={t('linkAccount.submit', { provider: name })}
        />
      )}
    </Popup>
  )
}
