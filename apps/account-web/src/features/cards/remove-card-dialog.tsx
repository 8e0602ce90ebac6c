import type { CreditCard } from '@atrium/contract/cards.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { productsPaid, useRemoveCard } from './cards.data.ts'
import { useCardName } from './use-card-name.ts'

interface Props {
  card: CreditCard
  onClose(): void
}

/** What a card alone pays for is paid with the default card once the customer says so. */
export function RemoveCardDialog({ card, onClose }: Props) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const { mutate, isPending, error } = useRemoveCard()
  const name = useCardName()(card)
  const [products, setProducts] = useState<readonly string[]>()
  const isReplaced = products !== undefined

  function confirm() {
    const onSuccess = () => {
      showSuccess(t('done.removed'))
      onClose()
    }
    const onError = (problem: Error) => setProducts(productsPaid(problem))
    mutate({ paymentMethodId: card.id, isReplaced }, { onSuccess, onError })
  }

  return (
    <ConfirmDialog
      title={t('remove.title', { card: name })}
      confirmLabel={t(isReplaced ? 'remove.replace' : 'actions.remove')}
      isDestructive
      busy={isPending}
      problem={productsPaid(error) ? null : error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <span role="status">
        {isReplaced
          ? t('remove.inUse', { products: new Intl.ListFormat(locale).format(products) })
          : t('remove.effect')}
      </span>
    </ConfirmDialog>
  )
}
