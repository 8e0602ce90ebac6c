import { maxKeyWord, type OfflineOrder } from '@atrium/contract/orders.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { ListFilters } from '@atrium/ui/list-filters.tsx'
import { Money } from '@atrium/ui/money.tsx'
import { SearchBox } from '@atrium/ui/search-box.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import { NoMatch } from '../../page/no-match.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { NoOfflineOrders } from './no-orders.tsx'
import { offlineOrdersQuery } from './orders.data.ts'
import classes from './orders.module.css'
import { OrdersSearch } from './orders.search.ts'

/** Orders made outside the store, newest first. */
export function OfflineOrders() {
  const { t } = useTranslation('orders')
  const columns = useColumns()
  const [{ keyWord = '', page = 1 }, changeAddress] = useAddress(OrdersSearch)
  const { data } = useQuery(offlineOrdersQuery(keyWord, page))
  const search = (wanted: string) => changeAddress({ keyWord: wanted || undefined, page: undefined })

  return (
    <>
      {(keyWord !== '' || data?.total !== 0) && (
        <ListFilters onClear={undefined}>
          <SearchBox
            label={t('offline.search')}
            placeholder={t('offline.searchFor')}
            value={keyWord}
            onSearch={search}
            maxLength={maxKeyWord}
          />
        </ListFilters>
      )}
      <PagedList
        label={t('offline.list')}
        columns={columns}
        rowKey={(order) => order.nsOrderNumber}
        query={(wanted) => offlineOrdersQuery(keyWord, wanted)}
        read={({ list, total }) => ({ rows: list, total })}
        empty={
          keyWord === '' ? <NoOfflineOrders /> : <NoMatch sentence={t('online.noMatch')} onClear={() => search('')} />
        }
      />
    </>
  )
}

function useColumns(): Column<OfflineOrder>[] {
  const { t } = useTranslation('orders')
  return [
    {
      key: 'number',
      label: t('columns.number'),
      place: 'title',
      width: '22%',
      render: (order) => <CopyableCode code={order.nsOrderNumber} label={t('columns.number')} />,
    },
    {
      key: 'products',
      label: t('columns.products'),
      place: 'body',
      render: (order) => <span className={classes.lines}>{order.orderDescription.join('\n')}</span>,
    },
    {
      key: 'amount',
      label: t('columns.amount'),
      align: 'end',
      render: (order) => <Money amount={order.orderAmount} currency={order.orderCurrency} />,
    },
    {
      key: 'date',
      label: t('columns.date'),
      place: 'corner',
      width: '16%',
      render: (order) => (
        <span className={classes.date}>
          <DateText date={new Date(order.orderDate)} isDay />
        </span>
      ),
    },
  ]
}
