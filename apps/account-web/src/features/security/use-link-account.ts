import { createAccountLinkToken } from '@atrium/contract/linked-accounts.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { LinkAccountPopupMessage, type UserInfoMessage } from '@atrium/contract/popups.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { listenToPopup, openPopup } from '../../api/popup.ts'
import { usePage } from '../../page/page-data.ts'
import { linkedAccountsQuery } from './linked-accounts.data.ts'

/** The popup that links a login provider, and its messages, accepted only while it is open and only from its origin. */
export function useLinkAccount() {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const { settings, locale } = usePage()
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<'idle' | 'waiting' | 'blocked'>('idle')
  const stopListening = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => stopListening.current?.(), [])

  function open(provider: ProviderName) {
    stopListening.current?.()
    const query = new URLSearchParams({ provider, locale: locale.code })
    const popup = openPopup(`${settings.ssoUrl}/link-account?${query}`, 'atrium-link-account')
    if (!popup) return setProgress('blocked')

    setProgress('waiting')
    const { origin } = new URL(settings.ssoUrl)
    const refresh = () => void queryClient.invalidateQueries(linkedAccountsQuery)
    const end = () => {
      stopListening.current?.()
      popup.close()
      setProgress('idle')
      refresh()
    }
    const fail = () => {
      end()
      showFailure(t('linked.failed'))
    }
    const answers = {
      getUserInfo: () => void introduce(popup, origin).catch(fail),
      linkAccountSuccess() {
        end()
        showSuccess(t('linked.linked', { provider: common(`providers.${provider}`) }))
      },
      linkAccountError: fail,
      linkAccountClose: end,
    }
    stopListening.current = listenToPopup({
      popup,
      origin,
      schema: LinkAccountPopupMessage,
      onMessage: ({ type }) => answers[type](),
      onClosed() {
        setProgress('idle')
        refresh()
      },
    })
  }

  return { progress, open }
}

/** Identifies the member to the popup with a one-minute token for this purpose, sent only to its exact origin. */
async function introduce(popup: Window, origin: string) {
  const { accessToken } = await call(createAccountLinkToken)
  const message: UserInfoMessage = { type: 'userInfo', accessToken }
  popup.postMessage(message, origin)
}
