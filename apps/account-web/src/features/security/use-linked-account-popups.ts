import { createAccountLinkToken, type LinkedAccount } from '@atrium/contract/linked-accounts.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { activityKey } from '../../api/query-client.ts'
import { linkedAccountsQuery } from './linked-accounts.data.ts'
import { useSignOnPopup } from './use-sign-on-popup.ts'

/** The popups in which a login provider is linked and unlinked, after authenticating again. */
export function useLinkedAccountPopups() {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const queryClient = useQueryClient()
  const { progress, open } = useSignOnPopup()
  const either = {
    createToken: () => call(createAccountLinkToken),
    // Also without a message: a provider may have severed the popup.
    onEnd() {
      void queryClient.invalidateQueries(linkedAccountsQuery)
      void queryClient.invalidateQueries({ queryKey: activityKey })
    },
  }
  const named = (provider: ProviderName) => ({ provider: common(`providers.${provider}`) })

  function link(provider: ProviderName) {
    open({
      ...either,
      task: 'linkAccount',
      path: '/link-account',
      query: { provider },
      onSuccess: () => showSuccess(t('linked.linked', named(provider))),
      onFailure: () => showFailure(t('linked.failed')),
    })
  }

  function unlink({ id, provider }: LinkedAccount) {
    open({
      ...either,
      task: 'unlinkAccount',
      path: '/unlink-account',
      query: { id },
      onSuccess: () => showSuccess(t('linked.unlinked', named(provider))),
      onFailure: () => showFailure(t('linked.unlinkFailed')),
    })
  }

  return { progress, link, unlink }
}
