import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useTranslation } from 'react-i18next'
import { useRoleName } from '../../page/use-role-name.ts'
import { ConfirmRenewalButton } from './confirm-renewal-button.tsx'
import { ManageButton } from './manage-button.tsx'
import { SubscriptionMenu } from './plan-change/subscription-menu.tsx'
import { SubscriptionName } from './subscription-name.tsx'
import { SubscriptionProduct } from './subscription-product.tsx'
import { SubscriptionPrice } from './subscription-size.tsx'
import { StatusOfSubscription } from './subscription-status.tsx'
import classes from './subscriptions.module.css'
import { useNameOf } from './use-name-of.ts'

/** 001 §2. */
export function useOnlineColumns(): Column<Subscription>[] {
  const { t } = useTranslation('subscriptions')
  const roleName = useRoleName()
  const nameOf = useNameOf()
  return [
    {
      key: 'subscription',
      label: t('columns.subscription'),
      width: '18%',
      render: (subscription, list) => (
        <SubscriptionName subscription={subscription} name={nameOf(subscription, list)} />
      ),
    },
    {
      key: 'product',
      label: t('columns.product'),
      place: 'title',
      width: '23%',
      render: (subscription) => <SubscriptionProduct subscription={subscription} />,
    },
    {
      key: 'price',
      label: t('columns.price'),
      align: 'end',
      render: (subscription) => <SubscriptionPrice subscription={subscription} />,
    },
    {
      key: 'role',
      label: t('columns.role'),
      render: ({ userType }) => <span className={classes.whole}>{roleName(userType)}</span>,
    },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'body',
      width: '22%',
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

function Actions({ subscription, name }: { subscription: Subscription; name: string }) {
  return (
    <div className={classes.actions}>
      <ConfirmRenewalButton subscription={subscription} />
      <div className={classes.manageRow}>
        <ManageButton subscription={subscription} name={name} />
        <SubscriptionMenu subscription={subscription} name={name} />
      </div>
    </div>
  )
}
