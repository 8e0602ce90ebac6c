import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ListTabs } from '../../page/list-tabs.tsx'
import { usePage } from '../../page/page-data.ts'
import { useAddress } from '../../page/use-address.ts'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'
import { OfflineOrders } from './offline-orders.tsx'
import { OnlineOrders } from './online-orders.tsx'
import { offlineOrdersQuery, onlineOrdersQuery } from './orders.data.ts'
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

  function open(wanted: 'online' | 'offline') {
    changeAddress({ ...noFilter, page: undefined, list: wanted === 'offline' ? wanted : undefined })
  }

  return (
    <PageFrame
      title={frame('tabs.my-orders')}
      count={total}
      lead={frame('leads.my-orders')}
      action={offersQuote && <Button onClick={() => quoteDialog.open('new')}>{t('offline.getQuote')}</Button>}
    >
      <ListTabs
        list={list}
        labels={{ online: t('online.tab'), offline: t('offline.tab') }}
        offlineHint={t('offline.tooltip')}
        onOpen={open}
      >
        {list === 'online' ? <OnlineOrders /> : <OfflineOrders />}
      </ListTabs>
    </PageFrame>
  )
}

/** The number of orders in the open list, as filtered. */
function useTotal(): number | undefined {
  const [{ list = 'online', keyWord = '', page = 1 }] = useAddress(OrdersSearch)
  const [filter] = useAddress(OrdersFilter)
  const { locale } = usePage()
  const online = useQuery({ ...onlineOrdersQuery(locale.code, filter, page), enabled: list === 'online' })
  const offline = useQuery({ ...offlineOrdersQuery(keyWord, page), enabled: list === 'offline' })
  return (list === 'online' ? online : offline).data?.total
}
