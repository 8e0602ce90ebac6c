import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Tabs, Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../shell/use-address.ts'
import { OfflineOrders } from './offline-orders.tsx'
import { offlineOrdersQuery } from './orders.data.ts'
import { OrdersSearch } from './orders.search.ts'

/** 000 §2.6. */
export function MyOrdersScreen() {
  const { t } = useTranslation('orders')
  const { t: shell } = useTranslation('shell')
  const [{ page = 1 }, changeAddress] = useAddress(OrdersSearch)
  const { data } = useQuery(offlineOrdersQuery(page))

  return (
    <PageFrame title={shell('tabs.my-orders')} count={data?.total} lead={t('lead')}>
      <Tabs value="offline" mb="md">
        <Tabs.List>
          <Tooltip label={t('offline.tooltip')} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
            <Tabs.Tab value="offline" rightSection={<IconInfoCircle size={16} stroke={1.6} aria-hidden />}>
              {t('offline.tab')}
            </Tabs.Tab>
          </Tooltip>
        </Tabs.List>
        <Tabs.Panel value="offline" pt="md">
          <OfflineOrders page={page} onPage={(next) => changeAddress({ page: next === 1 ? undefined : next })} />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
