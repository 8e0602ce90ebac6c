import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDays } from '@atrium/ui/date-format.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PagedList } from '../../page/paged-list.tsx'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'
import { useRoleName } from '../../page/use-role-name.ts'
import { ManageButton } from './manage-button.tsx'
import { NoOfflineSubscriptions } from './no-subscriptions.tsx'
import { SubscriptionName } from './subscription-name.tsx'
import { SubscriptionSeats } from './subscription-size.tsx'
import { StatusOfSubscription } from './subscription-status.tsx'
import { offlineSubscriptionsQuery } from './subscriptions.data.ts'
import classes from './subscriptions.module.css'

/** Subscriptions that were agreed outside the store: no price, and nothing renews by itself. */
export function OfflineSubscriptions() {
  const { t } = useTranslation('subscriptions')
  const columns = useColumns()

  return (
    <PagedList
      label={t('offline.list')}
      columns={columns}
      rowKey={(subscription) => subscription.stripeSubscriptionId}
      query={offlineSubscriptionsQuery}
      read={({ list, total }) => ({ rows: list, total })}
      empty={<NoOfflineSubscriptions />}
    />
  )
}

function useColumns(): Column<Subscription>[] {
  const { t } = useTranslation('subscriptions')
  const roleName = useRoleName()
  return [
    {
      key: 'product',
      label: t('columns.product'),
      place: 'title',
      width: '26%',
      render: (subscription) => <SubscriptionName subscription={subscription} idLabel={t('columns.number')} />,
    },
    {
      key: 'seats',
      label: t('columns.seats'),
      align: 'end',
      render: (subscription) => <SubscriptionSeats subscription={subscription} />,
    },
    {
      key: 'role',
      label: t('columns.role'),
      render: ({ userType }) => <span className={classes.whole}>{roleName(userType)}</span>,
    },
    { key: 'term', label: t('columns.term'), render: (subscription) => <Term subscription={subscription} /> },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'body',
      render: (subscription) => <StatusOfSubscription subscription={subscription} />,
    },
    {
      key: 'actions',
      label: t('columns.actions'),
      place: 'action',
      align: 'end',
      render: (subscription) => <Actions subscription={subscription} />,
    },
  ]
}

function Term({ subscription }: { subscription: Subscription }) {
  const locale = useLocale()
  const { stripeCurrentPeriodStart: from, stripeCurrentPeriodEnd: to } = subscription
  if (to === '') return <span>–</span>
  const [start, end] = formatDays(locale, new Date(from), new Date(to)).split(' ')
  return (
    <span>
      <span className={classes.whole}>{start}</span> {end && <span className={classes.whole}>{end}</span>}
    </span>
  )
}

function Actions({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const quoteDialog = useQuoteDialog()
  const { appCode: productCode, userCount: seats, stripeSubscriptionId: number } = subscription
  return (
    <div className={classes.actions}>
      <ManageButton subscription={subscription} />
      <Button
        variant="default"
        size="xs"
        className={classes.manage ?? ''}
        onClick={() => quoteDialog.open('renewal', { productCode, seats, number })}
      >
        {t('offline.requestQuote')}
      </Button>
    </div>
  )
}
