import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadablePart } from '../../page/loadable-part.tsx'
import { NoMatch } from '../../page/no-match.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { ExpiringCardNotice } from './expiring-card-notice.tsx'
import { NoOnlineSubscriptions } from './no-subscriptions.tsx'
import { useOnlineColumns } from './online-columns.tsx'
import { Offered } from './ownership/offered.tsx'
import { PaymentNotices } from './payment-notices.tsx'
import { SubscriptionDialogs } from './subscription-dialogs.tsx'
import { SubscriptionFilters } from './subscription-filters.tsx'
import { onlineSubscriptionsQuery } from './subscriptions.data.ts'
import { noFilter, PaypalReturnSearch, SubscriptionsFilter, SubscriptionsSearch } from './subscriptions.search.ts'

const PaypalReturn = loadablePart(async () => (await import('./paypal-return.tsx')).PaypalReturn)

/** Subscriptions that are billed here or given, with the filters of the address. */
export function OnlineSubscriptions() {
  const { t } = useTranslation('subscriptions')
  const [{ page = 1 }, changeAddress] = useAddress(SubscriptionsSearch)
  const [filter] = useAddress(SubscriptionsFilter)
  const [{ stripe_subscription_id: returned }] = useAddress(PaypalReturnSearch)
  const columns = useOnlineColumns()
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { data, isPlaceholderData } = useQuery(onlineSubscriptionsQuery(filter, page))
  // What needs attention does not follow the filters: failed payments stand on the first page.
  const { data: first } = useQuery(onlineSubscriptionsQuery(noFilter, 1))
  const hasNone = data?.total === 0 && !isPlaceholderData && !isFiltered

  const change = (changes: SubscriptionsFilter) => changeAddress({ ...changes, page: undefined })
  const clear = () => change(noFilter)

  return (
    <>
      {returned !== undefined && <PaypalReturn />}
      <SubscriptionDialogs />
      <Offered />
      {first && <PaymentNotices subscriptions={first.list} />}
      {first && <ExpiringCardNotice subscriptions={first.list} />}
      {!hasNone && <SubscriptionFilters filter={filter} onChange={change} onClear={isFiltered ? clear : undefined} />}
      <PagedList
        label={t('online.list')}
        columns={columns}
        rowKey={(subscription) => subscription.stripeSubscriptionId}
        query={(wanted) => onlineSubscriptionsQuery(filter, wanted)}
        read={({ list, total }) => ({ rows: list, total })}
        empty={isFiltered ? <NoMatch sentence={t('online.noMatch')} onClear={clear} /> : <NoOnlineSubscriptions />}
      />
    </>
  )
}
