import { type CloudAccount, chooseRegion, lookUpRegion, openCloud, type Region } from '@atrium/contract/cloud.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call, callOnce, problemData } from '../../api/call.ts'
import { callForWindow, useAskAgain } from '../../api/call-for-window.ts'
import { storeReply } from '../../api/query-client.ts'
import { usePage } from '../../page/page-data.ts'

/** Another tab may choose the region meanwhile. */
export const cloudQuery = queryOptions({
  queryKey: ['cloud'],
  queryFn: ({ signal }) => call(lookUpRegion, {}, { signal }),
  refetchOnWindowFocus: 'always',
})

interface Launch {
  /** Chosen now, at the first launch. */
  region?: Region | undefined
  userTypeId: string
  /** Open already, and empty. */
  window: Window
}

/** Leads a window to the cloud service, and stores the choices. The window closes if that fails; what was stored stays. */
export function useLaunchCloud() {
  const queryClient = useQueryClient()
  const { locale } = usePage()
  const { t } = useTranslation('products')
  const askAgain = useAskAgain(t('links.open'))
  const show = (account: CloudAccount) => storeReply(queryClient, cloudQuery.queryKey, account)
  return useMutation({
    async mutationFn({ region, userTypeId, window }: Launch) {
      if (region) {
        const send = () => callOnce(chooseRegion, { body: { region } })
        const account = await callForWindow({ window, askAgain, send })
        if (!account) return undefined
        await show(account)
      }
      const send = () => callOnce(openCloud, { body: { userTypeId, lang: locale.code } })
      return callForWindow({ window, askAgain, send })
    },
    async onSuccess(opened, { window, userTypeId }) {
      if (!opened) return
      window.location.replace(opened.url)
      await storeReply(queryClient, cloudQuery.queryKey, (account) => account && { ...account, userTypeId })
    },
    onError(problem, { window }) {
      window.close()
      const chosen = problemData(problem, chooseRegion, 'region_chosen')
      if (chosen) void show(chosen)
      else void queryClient.invalidateQueries({ queryKey: cloudQuery.queryKey })
    },
  })
}

/** An empty window for the cloud service, opened in the click, since the browser would block it later. */
export function openEmptyWindow(): Window | undefined {
  const opened = window.open('about:blank', '_blank')
  if (!opened) return undefined
  // The other program must not reach this page.
  opened.opener = null
  return opened
}
