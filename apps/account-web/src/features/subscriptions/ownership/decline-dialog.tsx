import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { useDecline } from './offered-answers.data.ts'

interface Props {
  subscription: Subscription
  onClose(): void
}

/** Somebody else has bought it with the member's address: what follows from saying so. */
export function DeclineDialog({ subscription, onClose }: Props) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const decline = useDecline()
  const { stripeSubscriptionId: sid, appName: product } = subscription

  function confirm() {
    decline.mutate(sid, {
      onSuccess: () => {
        showSuccess(t('notMine.done', { product }))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t('notMine.title', { product })}
      confirmLabel={t('notMine.confirm')}
      isDestructive
      busy={decline.isPending}
      problem={decline.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {joinSentences(locale, [t('notMine.why'), t('notMine.effect'), t('notMine.seller')])}
    </ConfirmDialog>
  )
}
