import type { CreditCard } from '@atrium/contract/cards.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useTranslation } from 'react-i18next'
import { useRemoveCard } from './cards.data.ts'
import { useCardName } from './use-card-name.ts'

interface Props {
  card: CreditCard
  onClose(): void
}

export function RemoveCardDialog({ card, onClose }: Props) {
  const { t } = useTranslation('cards')
  const remove = useRemoveCard()
  const name = useCardName()(card)

  function confirm() {
    remove.mutate(card.id, {
      onSuccess: () => {
        showSuccess(t('done.removed'))
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      title={t('remove.title', { card: name })}
      confirmLabel={t('actions.remove')}
      isDestructive
      busy={remove.isPending}
      problem={remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('remove.effect')}
    </ConfirmDialog>
  )
}
