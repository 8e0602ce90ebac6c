import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { loadTexts } from '../../page/texts.ts'
import { useSubscriptionDialog } from './use-subscription-dialog.ts'

const { Dialog: TurnOffDialog, preload } = loadableDialog(async () => {
  const code = import('./auto-renewal/turn-off-dialog.tsx').then((module) => module.TurnOffDialog)
  const [Dialog] = await Promise.all([code, loadTexts('subscription-changes')])
  return Dialog
})

/** Loads the code of the dialogs on hover or focus. */
export const preloadSubscriptionDialogs = preload

/** The dialog about a subscription that is in the address. */
export function SubscriptionDialogs() {
  const { name, sid, close } = useSubscriptionDialog()
  if (name === undefined || sid === undefined) return null
  return <TurnOffDialog sid={sid} onClose={close} />
}
