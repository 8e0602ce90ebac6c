import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDays } from '@atrium/ui/date-format.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'
import { useRoleName } from '../../page/use-role-name.ts'
import { ManageButton } from './manage-button.tsx'
import { NoOfflineSubscriptions } from './no-subscriptions.tsx'
import { SubscriptionProduct } from './subscription-product.tsx'
import { SubscriptionSeats } from './subscription-size.tsx'
import { StatusOfSubscription } from './subscription-status.tsx'
import { offlineSubscriptionsQuery } from './subscriptions.data.ts'
import classes from './subscriptions.module.css'
import { useNameOf } from './use-name-of.ts'

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
  const nameOf = useNameOf()
  return [
    {
      key: 'product',
      label: t('columns.product'),
      place: 'title',
      width: '26%',
      render: (subscription) => (
        <SubscriptionProduct subscription={subscription}>
          <CopyableCode code={subscription.stripeSubscriptionId} label={t('columns.number')} />
        </SubscriptionProduct>
      ),
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
      render: (subscription, list) => (
        <StatusOfSubscription subscription={subscription} name={nameOf(subscription, list)} />
      ),
    },
    {
      key: 'actions',
      label: t('columns.actions'),
      place: 'action',
      hasHeading: true,
      align: 'end',
      render: (subscription, list) => <Actions subscription={subscription} name={nameOf(subscription, list)} />,
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

function Actions({ subscription, name }: { subscription: Subscription; name: string }) {
  const { t } = useTranslation('subscriptions')
  const quoteDialog = useQuoteDialog()
  const { appCode: productCode, userCount: seats, stripeSubscriptionId: number } = subscription
  return (
    <div className={classes.actions}>
      <ManageButton subscription={subscription} name={name} />
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
