import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Tabs } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import { useAddress } from '../../page/use-address.ts'
import { OfflineSubscriptions } from './offline-subscriptions.tsx'
import { OnlineSubscriptions } from './online-subscriptions.tsx'
import { offlineSubscriptionsQuery, onlineSubscriptionsQuery } from './subscriptions.data.ts'
import classes from './subscriptions.module.css'
import { noFilter, SubscriptionsFilter, SubscriptionsSearch } from './subscriptions.search.ts'

/** 001 §2, "My Subscriptions". */
export function SubscriptionsScreen({ action }: { action: ReactNode }) {
  const { t } = useTranslation('subscriptions')
  const { t: frame } = useTranslation('frame')
  const [{ list = 'online' }, changeAddress] = useAddress(SubscriptionsSearch)
  const total = useTotal()

  function open(wanted: string | null) {
    changeAddress({ ...noFilter, page: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame title={frame('tabs.my-subscriptions')} count={total} lead={t('lead')} action={action}>
      <Tabs value={list} onChange={open} keepMounted={false} classNames={{ tab: classes.tab ?? '' }}>
        <Tabs.List>
          <Tabs.Tab value="online">{t('online.tab')}</Tabs.Tab>
          <Hint label={t('offline.tooltip')} multiline w={280}>
            <Tabs.Tab value="offline" rightSection={<IconInfoCircle size={16} stroke={1.6} aria-hidden />}>
              {t('offline.tab')}
            </Tabs.Tab>
          </Hint>
        </Tabs.List>
        <Tabs.Panel value="online" pt="md">
          <OnlineSubscriptions />
        </Tabs.Panel>
        <Tabs.Panel value="offline" pt="md">
          <p className={classes.touchNote}>{t('offline.tooltip')}</p>
          <OfflineSubscriptions />
        </Tabs.Panel>
      </Tabs>
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
