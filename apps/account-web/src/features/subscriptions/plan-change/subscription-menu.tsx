import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '../../../page/action-menu.tsx'
import { loadableDialog } from '../../../page/loadable-dialog.tsx'
import { usePage } from '../../../page/page-data.ts'
import { maySell } from '../../../page/shop.rules.ts'
import { preloadPlanChange } from '../subscription-dialogs.tsx'
import { useSubscriptionDialog } from '../use-subscription-dialog.ts'
import { type ChangeName, changesOf } from './plan-change.rules.ts'

const { Dialog: DeclineDialog, preload: preloadDecline } = loadableDialog(
  async () => (await import('../ownership/decline-dialog.tsx')).DeclineDialog,
)

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
}

/** What the Owner can change of a subscription. Nothing is sold in Russian. */
export function SubscriptionMenu({ subscription, name: product }: Props) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const dialog = useSubscriptionDialog()
  const [isDeclining, setDeclining] = useState(false)
  const { stripeSubscriptionId: sid, storageCapacity } = subscription
  // Connectors are bought once envelopes are shared: the dialog says so first (001 §4).
  const isSharingNeeded = subscription.isNeedBindPooling === 1
  const changes = maySell(locale) ? changesOf(subscription) : []
  const isDeclinable = subscription.knownByAddress === 1
  if (changes.length === 0 && !isDeclinable) return null
  const textOf = (name: ChangeName) => (name === 'more' && storageCapacity > 0 ? 'storage' : name)

  const changing = changes.map((name) => ({
    key: name,
    label: t(`changes.${textOf(name)}`),
    onPress: () => dialog.open({ dialog: name === 'connectors' && isSharingNeeded ? 'sharing' : name, sid }),
    onPreload: preloadPlanChange,
  }))
  const declining = {
    key: 'notMine',
    label: t('notMine.action'),
    onPress: () => setDeclining(true),
    onPreload: preloadDecline,
  }

  return (
    <>
      <ActionMenu label={t('changes.menu', { product })} actions={isDeclinable ? [...changing, declining] : changing} />
      {isDeclining && <DeclineDialog subscription={subscription} onClose={() => setDeclining(false)} />}
    </>
  )
}
