import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ListTabs } from '../../page/list-tabs.tsx'
import { useAddress } from '../../page/use-address.ts'
import { OfflineSubscriptions } from './offline-subscriptions.tsx'
import { OnlineSubscriptions } from './online-subscriptions.tsx'
import { offlineSubscriptionsQuery, onlineSubscriptionsQuery } from './subscriptions.data.ts'
import { noFilter, SubscriptionsFilter, SubscriptionsSearch } from './subscriptions.search.ts'

/** 001 §2, "My Subscriptions". */
export function SubscriptionsScreen({ action }: { action: ReactNode }) {
  const { t } = useTranslation('subscriptions')
  const { t: frame } = useTranslation('frame')
  const [{ list = 'online' }, changeAddress] = useAddress(SubscriptionsSearch)
  const total = useTotal()

  function open(wanted: 'online' | 'offline') {
    changeAddress({ ...noFilter, page: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.my-subscriptions')}
      count={total}
      lead={frame('leads.my-subscriptions')}
      action={action}
    >
      <ListTabs
        list={list}
        labels={{ online: t('online.tab'), offline: t('offline.tab') }}
        offlineHint={t('offline.tooltip')}
        onOpen={open}
      >
        {list === 'online' ? <OnlineSubscriptions /> : <OfflineSubscriptions />}
      </ListTabs>
    </PageFrame>
  )
}

/** The number of subscriptions in the open list, as filtered. */
function useTotal(): number | undefined {
  const [{ list = 'online', page = 1 }] = useAddress(SubscriptionsSearch)
  const [filter] = useAddress(SubscriptionsFilter)
  const online = useQuery({ ...onlineSubscriptionsQuery(filter, page), enabled: list === 'online' })
  const offline = useQuery({ ...offlineSubscriptionsQuery(page), enabled: list === 'offline' })
  return (list === 'online' ? online : offline).data?.total
}
