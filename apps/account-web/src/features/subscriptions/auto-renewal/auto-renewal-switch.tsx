import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../../page/loadable-dialog.tsx'
import { usePage } from '../../../page/page-data.ts'
import { maySell } from '../../../page/shop.rules.ts'
import { loadTexts } from '../../../page/texts.ts'
import { preloadTurnOff } from '../subscription-dialogs.tsx'
import classes from '../subscriptions.module.css'
import { useSubscriptionDialog } from '../use-subscription-dialog.ts'
import { useTurnOn } from './auto-renewal.data.ts'
import { hasSwitch } from './auto-renewal.rules.ts'

const { Dialog: CardNeededDialog } = loadableDialog(async () => {
  const code = import('./card-needed-dialog.tsx').then((module) => module.CardNeededDialog)
  const [Dialog] = await Promise.all([code, loadTexts('cards')])
  return Dialog
})

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
}

/** Whether it renews by itself (001 §4): off asks first, on is done at once. */
export function AutoRenewalSwitch({ subscription, name }: Props) {
  const { t } = useTranslation('subscriptions')
  const { locale } = usePage()
  const problemText = useProblemText()
  const dialog = useSubscriptionDialog()
  const turnOn = useTurnOn()
  const [isCardNeeded, setCardNeeded] = useState(false)
  const { stripeSubscriptionId: sid, autoRenewal } = subscription
  if (!hasSwitch(subscription, maySell(locale))) return null
  const isOn = autoRenewal === 1 || turnOn.isPending

  function change(isWanted: boolean) {
    // A disabled switch would lose the focus.
    if (turnOn.isPending) return
    if (!isWanted) return dialog.open({ dialog: 'cancel', sid })
    turnOnWith('')
  }

  function turnOnWith(paymentMethodId: string) {
    turnOn.mutate(
      { sid, paymentMethodId },
      { onSuccess: () => showSuccess(t('autoRenewal.resumed')), onError: showProblem },
    )
  }

  function showProblem(problem: unknown) {
    if (problem instanceof CallProblem && problem.code === 'card_required') return setCardNeeded(true)
    showFailure(problemText(problem))
  }

  return (
    <>
      <Switch
        size="xs"
        checked={isOn}
        aria-busy={turnOn.isPending}
        label={t('autoRenewal.switch')}
        {...(!isOn && { description: t('autoRenewal.hint') })}
        classNames={{ description: classes.hint ?? '' }}
        aria-label={t('autoRenewal.label', { product: name })}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
        onFocus={preloadTurnOff}
        onMouseEnter={preloadTurnOff}
      />
      {isCardNeeded && (
        <CardNeededDialog
          subscription={subscription}
          onAdded={(paymentMethodId) => {
            setCardNeeded(false)
            turnOnWith(paymentMethodId)
          }}
          onClose={() => setCardNeeded(false)}
        />
      )}
    </>
  )
}
