import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '../../../page/action-menu.tsx'
import { usePage } from '../../../page/page-data.ts'
import { maySell } from '../../../page/shop.rules.ts'
import { preloadPlanChange } from '../subscription-dialogs.tsx'
import { useSubscriptionDialog } from '../use-subscription-dialog.ts'
import { type ChangeName, changesOf } from './plan-change.rules.ts'

/** What the Owner can change of a subscription. Nothing is sold in Russian. */
export function SubscriptionMenu({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const dialog = useSubscriptionDialog()
  const { stripeSubscriptionId: sid, appName: product, storageCapacity } = subscription
  // Connectors are bought once envelopes are shared: the dialog says so first (001 §4).
  const isSharingNeeded = subscription.isNeedBindPooling === 1
  const changes = maySell(locale) ? changesOf(subscription) : []
  if (changes.length === 0) return null
  const textOf = (name: ChangeName) => (name === 'more' && storageCapacity > 0 ? 'storage' : name)

  return (
    <ActionMenu
      label={t('changes.menu', { product, id: sid })}
      actions={changes.map((name) => ({
        key: name,
        label: t(`changes.${textOf(name)}`),
        onPress: () => dialog.open({ dialog: name === 'connectors' && isSharingNeeded ? 'sharing' : name, sid }),
        onPreload: preloadPlanChange,
      }))}
    />
  )
}
