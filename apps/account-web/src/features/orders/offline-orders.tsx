import { localePath } from '@atrium/contract/locale.ts'
import type { OfflineOrder } from '@atrium/contract/orders.ts'
import { CopyableCode } from '@atrium/ui/copyable-code.tsx'
import { DateText } from '@atrium/ui/date-text.tsx'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { type Column, ListTable } from '@atrium/ui/list-table.tsx'
import { Money } from '@atrium/ui/money.tsx'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { prefetch } from '../../api/query-client.ts'
import { usePage } from '../../page-data.ts'
import classes from './offline-orders.module.css'
import { offlineOrdersQuery, ordersPageSize } from './orders.data.ts'

interface Props {
  /** From 1. */
  page: number
  onPage(page: number): void
}

/** Orders made outside the store, newest first; ten a page (000 §9). */
export function OfflineOrders({ page, onPage }: Props) {
  const { t } = useTranslation('orders')
  const columns = useColumns()
  const queryClient = useQueryClient()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(offlineOrdersQuery(page))

  // An address may name a page that does not exist, or no longer.
  const lastPage = data ? Math.ceil(data.total / ordersPageSize) : page
  if (data && !isPlaceholderData && lastPage > 0 && page > lastPage) {
    return <Navigate to="/account" search={{ tab: 'my-orders', page: lastPage }} replace />
  }

  return (
    <ListTable
      label={t('offline.list')}
      columns={columns}
      rows={data?.list}
      rowKey={(order) => order.nsOrderNumber}
      isStale={isPlaceholderData}
      problem={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
      empty={<NoOrders />}
      paging={{
        page,
        pageSize: ordersPageSize,
        total: data?.total ?? 0,
        onPage,
        onApproach: (next) => void prefetch(queryClient, offlineOrdersQuery(next)),
      }}
    />
  )
}

function useColumns(): Column<OfflineOrder>[] {
  const { t } = useTranslation('orders')
  return [
    {
      key: 'number',
      label: t('offline.number'),
      place: 'title',
      width: '22%',
      render: (order) => <CopyableCode code={order.nsOrderNumber} label={t('offline.number')} />,
    },
    {
      key: 'products',
      label: t('offline.products'),
      place: 'body',
      render: (order) => <span className={classes.lines}>{order.orderDescription.join('\n')}</span>,
    },
    {
      key: 'amount',
      label: t('offline.amount'),
      align: 'end',
      render: (order) => <Money amount={order.orderAmount} currency={order.orderCurrency} />,
    },
    {
      key: 'date',
      label: t('offline.date'),
      place: 'corner',
      width: '16%',
      render: (order) => (
        <span className={classes.date}>
          <DateText date={new Date(order.orderDate)} />
        </span>
      ),
    },
  ]
}

function NoOrders() {
  const { t } = useTranslation('orders')
  const { settings, locale } = usePage()

  return (
    <EmptyState
      picture="papers"
      sentence={t('offline.empty')}
      action={
        <Button
          component="a"
          href={`${settings.siteUrl}${localePath(locale, '/quote')}`}
          variant="default"
          rightSection={<IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
        >
          {t('offline.getQuote')}
        </Button>
      }
    />
  )
}
