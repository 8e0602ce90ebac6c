import type { CreditCard } from '@atrium/contract/cards.ts'
import { LimitDialog } from '@atrium/ui/limit-dialog.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useIsUnmounted } from '@atrium/ui/use-is-unmounted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { AddCardDialog } from '../../page/add-card/add-card-dialog.tsx'
import { cardsQuery } from '../../page/cards.data.ts'
import { EditCardDialog } from './edit-card-dialog.tsx'
import { RemoveCardDialog } from './remove-card-dialog.tsx'
import { ReplaceCardDialog } from './replace-card-dialog.tsx'

/** The open dialog and its data. */
export type OpenDialog =
  | { name: 'add' }
  | { name: 'limit' }
  | { name: 'edit'; card: CreditCard; isNew: boolean }
  | { name: 'remove'; card: CreditCard }
  | { name: 'replace'; card: CreditCard }

interface Props {
  dialog: OpenDialog
  onOpen(dialog: OpenDialog): void
  onClose(): void
}

/** The dialogs of the screen. Their code, and the provider's SDK, are loaded on demand. */
export function CardDialogs({ dialog, onOpen, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { t: problems } = useTranslation('problems')
  const queryClient = useQueryClient()

  const isUnmounted = useIsUnmounted()

  /** 000 §4: the list is updated, and the new card's dialog opens. If the screen is gone or has no list, a message is shown. */
  function finish(paymentMethodId: string) {
    const card = queryClient.getQueryData(cardsQuery.queryKey)?.cardList.find(({ id }) => id === paymentMethodId)
    if (card && !isUnmounted.current) return onOpen({ name: 'edit', card, isNew: true })
    showSuccess(t('edit.added'))
    onClose()
  }

  if (dialog.name === 'limit')
    return <LimitDialog title={t('add.title')} sentence={problems('card_limit')} onClose={onClose} />
  if (dialog.name === 'remove') return <RemoveCardDialog card={dialog.card} onClose={onClose} />
  if (dialog.name === 'replace') return <ReplaceCardDialog card={dialog.card} onClose={onClose} />
  if (dialog.name === 'edit') return <EditCardDialog card={dialog.card} isNew={dialog.isNew} onClose={onClose} />
  return <AddCardDialog onAdded={finish} onClose={onClose} />
}
