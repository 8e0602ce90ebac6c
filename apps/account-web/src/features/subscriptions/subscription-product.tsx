import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { IconCornerDownRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './subscriptions.module.css'

interface Props {
  subscription: Subscription
  /** Below the name. */
  children?: ReactNode
}

/** Icon and name; an add-on stands below what it belongs to. */
export function SubscriptionProduct({ subscription, children }: Props) {
  const { t } = useTranslation('subscriptions')
  const { appName, appIcon, parentId, parentName } = subscription
  const isAddOn = parentId !== ''

  return (
    <div className={classes.named} data-add-on={isAddOn}>
      {isAddOn && <IconCornerDownRight size={16} stroke={1.6} className={classes.addOnMark} aria-hidden />}
      <ProductMark name={appName} icon={appIcon} size="medium" />
      <div>
        <strong className={classes.product}>{appName}</strong>
        {isAddOn && <span className={classes.detail}>{t('addOn', { product: parentName })}</span>}
        {children}
      </div>
    </div>
  )
}
