import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { ProductMark } from '@atrium/ui/product-mark.tsx'
import { IconCornerDownRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import classes from './subscriptions.module.css'

interface Props {
  subscription: Subscription
  /** What the id is called. */
  idLabel: string
}

/** Product and id; an add-on stands below what it belongs to. */
export function SubscriptionName({ subscription, idLabel }: Props) {
  const { t } = useTranslation('subscriptions')
  const { appName, appIcon, stripeSubscriptionId: id, parentId, parentName } = subscription
  const isAddOn = parentId !== ''

  return (
    <div className={classes.named} data-add-on={isAddOn}>
      {isAddOn && <IconCornerDownRight size={16} stroke={1.6} className={classes.addOnMark} aria-hidden />}
      <ProductMark name={appName} icon={appIcon} size="medium" />
      <div>
        <strong className={classes.product}>{appName}</strong>
        {isAddOn && <span className={classes.detail}>{t('addOn', { product: parentName })}</span>}
        <CopyableCode code={id} label={idLabel} />
      </div>
    </div>
  )
}
