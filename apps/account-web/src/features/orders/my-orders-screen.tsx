import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Button, Tabs } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Hint } from '../../page/hint.tsx'
import { useAddress } from '../../page/use-address.ts'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'
import { OfflineOrders } from './offline-orders.tsx'
import { OnlineOrders } from './online-orders.tsx'
import { offlineOrdersQuery, onlineOrdersQuery } from './orders.data.ts'
import classes from './orders.module.css'
import { noFilter, OrdersFilter, OrdersSearch } from './orders.search.ts'

/** 000 §2.6. */
export function MyOrdersScreen() {
  const { t } = useTranslation('orders')
  const { t: frame } = useTranslation('frame')
  const [{ list = 'online' }, changeAddress] = useAddress(OrdersSearch)
  const total = useTotal()
  const quoteDialog = useQuoteDialog()
  // An empty list has its own button.
  const offersQuote = list === 'offline' && total !== undefined && total > 0

  function open(wanted: string | null) {
    changeAddress({ ...noFilter, page: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.my-orders')}
      count={total}
      lead={t('lead')}
      action={offersQuote && <Button onClick={() => quoteDialog.open('new')}>{t('offline.getQuote')}</Button>}
    >
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
          <OnlineOrders />
        </Tabs.Panel>
        <Tabs.Panel value="offline" pt="md">
          <p className={classes.touchNote}>{t('offline.tooltip')}</p>
          <OfflineOrders />
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}

/** The number of orders in the open list, as filtered. */
function useTotal(): number | undefined {
  const [{ list = 'online', page = 1 }] = useAddress(OrdersSearch)
  const [filter] = useAddress(OrdersFilter)
  const online = useQuery({ ...onlineOrdersQuery(filter, page), enabled: list === 'online' })
  const offline = useQuery({ ...offlineOrdersQuery(page), enabled: list === 'offline' })
  return (list === 'online' ? online : offline).data?.total
}
