import type { CreditCard } from '@atrium/contract/cards.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CardFormSkeleton } from '../../page/add-card/card-form-skeleton.tsx'
import { usePage } from '../../page/page-data.ts'
import { cardQuery, useUpdateCard } from './cards.data.ts'
import { EditCardForm } from './edit-card-form.tsx'
import { useCardName } from './use-card-name.ts'

interface Props {
  card: CreditCard
  /** The card was just added. */
  isNew: boolean
  onClose(): void
}

/** Edits cardholder and billing address. The number cannot be changed: another card is added instead. */
export function EditCardDialog({ card, isNew, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { locale } = usePage()
  const name = useCardName()(card)
  const { data, error, refetch, isFetching } = useQuery(cardQuery(locale.code, card.id))
  const update = useUpdateCard(card.id)

  function finish() {
    showSuccess(t('done.updated'))
    onClose()
  }

  return (
    <DialogFrame title={t('edit.title', { card: name })} onClose={onClose} busy={update.isPending} isForm width={560}>
      {data && (
        <EditCardForm known={data} update={update} card={card} isNew={isNew} onSaved={finish} onClose={onClose} />
      )}
      {!data && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <CardFormSkeleton />}
    </DialogFrame>
  )
}
