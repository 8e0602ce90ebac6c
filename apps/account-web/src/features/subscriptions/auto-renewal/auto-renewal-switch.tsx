import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../../page/page-data.ts'
import { maySell } from '../../../page/shop.rules.ts'
import { preloadTurnOff } from '../subscription-dialogs.tsx'
import classes from '../subscriptions.module.css'
import { useSubscriptionDialog } from '../use-subscription-dialog.ts'
import { useTurnOn } from './auto-renewal.data.ts'

/** Whether it renews by itself (001 §4): off asks first, on is done at once. */
export function AutoRenewalSwitch({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const problemText = useProblemText()
  const dialog = useSubscriptionDialog()
  const turnOn = useTurnOn()
  const { stripeSubscriptionId: sid, appName, autoRenewal } = subscription
  if (!hasSwitch(subscription, maySell(locale))) return null
  const isOn = autoRenewal === 1 || turnOn.isPending

  function change(isWanted: boolean) {
    // A disabled switch would lose the focus.
    if (turnOn.isPending) return
    if (!isWanted) return dialog.open({ dialog: 'cancel', sid })
    turnOn.mutate(sid, {
      onSuccess: () => showSuccess(t('autoRenewal.resumed')),
      onError: (problem) => showFailure(problemText(problem)),
    })
  }

  return (
    <Switch
      size="xs"
      checked={isOn}
      aria-busy={turnOn.isPending}
      label={t('autoRenewal.switch')}
      {...(!isOn && { description: t('autoRenewal.hint') })}
      classNames={{ description: classes.hint ?? '' }}
      aria-label={t('autoRenewal.label', { product: appName, id: sid })}
      onChange={({ currentTarget }) => change(currentTarget.checked)}
      onFocus={preloadTurnOff}
      onMouseEnter={preloadTurnOff}
    />
  )
}

/** For the Owner of what can be turned off or on; a trial too, which would be charged. Nothing is turned on in Russian. */
function hasSwitch(
  { userType, stripeSubscriptionStatus: status, hideResume, autoRenewal }: Subscription,
  maySell: boolean,
): boolean {
  const isOpen = (status === 'active' || status === 'trialing') && hideResume === 0
  return userType === seatTypes.owner && isOpen && (autoRenewal === 1 || maySell)
}
