import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../page/use-role-name.ts'
import { ConfirmRenewalButton } from './confirm-renewal-button.tsx'
import { ManageButton } from './manage-button.tsx'
import { SubscriptionMenu } from './plan-change/subscription-menu.tsx'
import { SubscriptionName } from './subscription-name.tsx'
import { SubscriptionPrice, SubscriptionSeats } from './subscription-size.tsx'
import { StatusOfSubscription } from './subscription-status.tsx'
import classes from './subscriptions.module.css'

/** 001 §2. */
export function useOnlineColumns(): Column<Subscription>[] {
  const { t } = useTranslation('subscriptions')
  const roleName = useRoleName()
  return [
    {
      key: 'subscription',
      label: t('columns.subscription'),
      place: 'title',
      width: '30%',
      render: (subscription) => <SubscriptionName subscription={subscription} idLabel={t('columns.subscription')} />,
    },
    {
      key: 'role',
      label: t('columns.role'),
      render: ({ userType }) => <span className={classes.whole}>{roleName(userType)}</span>,
    },
    {
      key: 'price',
      label: t('columns.price'),
      align: 'end',
      render: (subscription) => <SubscriptionPrice subscription={subscription} />,
    },
    {
      key: 'seats',
      label: t('columns.seats'),
      align: 'end',
      render: (subscription) => <SubscriptionSeats subscription={subscription} />,
    },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'body',
      width: '24%',
      render: (subscription) => <StatusOfSubscription subscription={subscription} />,
    },
    {
      key: 'actions',
      label: t('columns.actions'),
      place: 'action',
      align: 'end',
      render: (subscription) => (
        <div className={classes.actions}>
          <ConfirmRenewalButton subscription={subscription} />
          <div className={classes.manageRow}>
            <ManageButton subscription={subscription} />
            <SubscriptionMenu subscription={subscription} />
          </div>
        </div>
      ),
    },
  ]
}
