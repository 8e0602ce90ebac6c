import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { loadTexts } from '../../page/texts.ts'
import type { ChangeName } from './plan-change/plan-change.rules.ts'
import { useSubscriptionDialog } from './use-subscription-dialog.ts'

const { Dialog: TurnOffDialog, preload: preloadTurnOff } = loadableDialog(async () => {
  const code = import('./auto-renewal/turn-off-dialog.tsx').then((module) => module.TurnOffDialog)
  const [Dialog] = await Promise.all([code, loadTexts('auto-renewal')])
  return Dialog
})

const { Dialog: PlanChangeDialog, preload: preloadPlanChange } = loadableDialog(async () => {
  const code = import('./plan-change/plan-change-dialog.tsx').then((module) => module.PlanChangeDialog)
  const [Dialog] = await Promise.all([code, loadTexts('subscription-changes')])
  return Dialog
})

const { Dialog: OrderedDialog } = loadableDialog(async () => {
  const code = import('./plan-change/ordered-dialog.tsx').then((module) => module.OrderedDialog)
  const [Dialog] = await Promise.all([code, loadTexts('subscription-changes')])
  return Dialog
})

const { Dialog: EnableSharingDialog } = loadableDialog(async () => {
  const code = import('./envelope-sharing/enable-sharing-dialog.tsx').then((module) => module.EnableSharingDialog)
  const [Dialog] = await Promise.all([code, loadTexts('envelope-sharing')])
  return Dialog
})

/** Load the code of the dialogs on hover or focus. */
export { preloadPlanChange, preloadTurnOff }

/** The dialog about a subscription that is in the address. */
export function SubscriptionDialogs() {
  const { name, sid, quantity, replace, close } = useSubscriptionDialog()
  const { locale } = usePage()
  if (name === undefined || sid === undefined) return null
  if (name === 'cancel') return <TurnOffDialog sid={sid} onClose={close} />
  // Nothing is sold in Russian, whoever's link it is.
  if (!maySell(locale)) return null
  if (name === 'ordered' || name === 'order-canceled') {
    const restart = (dialog: ChangeName, ordered?: number) => replace({ dialog, sid, quantity: ordered })
    return <OrderedDialog sid={sid} isCanceled={name === 'order-canceled'} onRestart={restart} onClose={close} />
  }
  if (name === 'sharing') {
    // After it, connectors can be bought (001 §4).
    const buyConnectors = () => replace({ dialog: 'connectors', sid })
    return <EnableSharingDialog sid={sid} onEnabled={buyConnectors} onClose={close} />
  }
  const share = () => replace({ dialog: 'sharing', sid })
  return (
    <PlanChangeDialog
      key={`${name} ${sid}`}
      {...{ sid, name }}
      initialQuantity={quantity ?? 1}
      onShare={share}
      onClose={close}
    />
  )
}
