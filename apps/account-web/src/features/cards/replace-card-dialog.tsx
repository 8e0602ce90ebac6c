import { type CreditCard, maxCards } from '@atrium/contract/cards.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { LimitDialog } from '@atrium/ui/limit-dialog.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddCardDialog } from '../../page/add-card/add-card-dialog.tsx'
import { cardsQuery } from '../../page/cards.data.ts'
import { becomesDefault } from '../../page/default-card.rules.ts'
import { productsPaidBy, useReplaceCard } from './replace.data.ts'
import { useCardName } from './use-card-name.ts'

interface Props {
  card: CreditCard
  onClose(): void
}

/**
 * A new card in the place of one that expires: added, then given all that the old one does, which is removed. If only the first
 * succeeds, that is said, and the second can be tried again.
 */
export function ReplaceCardDialog({ card, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { t: problems } = useTranslation('problems')
  const name = useCardName()(card)
  const title = t('replace.title', { card: name })
  const replacement = useReplaceCard(card.id)
  const [added, setAdded] = useState<string>()
  const effect = useEffectSentence(card)
  const { data } = useQuery(cardsQuery)
  // As it opens: the new card may be the last one that fits.
  const [isFull] = useState((data?.cardList.length ?? 0) >= maxCards)

  async function replace(successor: string) {
    try {
      await replacement.mutateAsync(successor)
    } catch {
      return setAdded(successor)
    }
    showSuccess(t('done.replaced'))
    onClose()
  }

  if (isFull) return <LimitDialog title={title} sentence={problems('card_limit')} onClose={onClose} />
  if (added !== undefined) {
    return (
      <UnfinishedDialog
        title={title}
        sentence={t('replace.unfinished', { card: name })}
        replacement={replacement}
        onRetry={() => void replace(added)}
        onClose={onClose}
      />
    )
  }
  return (
    <AddCardDialog
      {...{ title, effect, onClose }}
      saveLabel={t('actions.replace')}
      target={{ besides: card.id }}
      onAdded={replace}
    />
  )
}

interface UnfinishedProps {
  title: string
  sentence: string
  replacement: Pick<ReturnType<typeof useReplaceCard>, 'error' | 'isPending'>
  onRetry(): void
  onClose(): void
}

/** The new card is on file, the old one not replaced. */
function UnfinishedDialog({ title, sentence, replacement: { error, isPending }, onRetry, onClose }: UnfinishedProps) {
  const { t } = useTranslation('common')
  return (
    <DialogFrame title={title} onClose={onClose} busy={isPending}>
      {error ? <InlineFailure problem={error} sentence={sentence} /> : sentence}
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isPending}>
          {t('close')}
        </Button>
        <Button onClick={onRetry} loading={isPending}>
          {t('retry')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}

/** What will happen to the default, the subscriptions and the old card. */
function useEffectSentence(card: CreditCard): string {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const name = useCardName()(card)
  const { data: cards } = useQuery(cardsQuery)
  const { data: products } = useQuery(productsPaidBy(card.id))
  const isDefault = cards && (cards.defaultPaymentID === card.id || becomesDefault(cards))
  return joinSentences(locale, [
    ...(isDefault ? [t('add.becomesDefault')] : []),
    // Without a list it is still true.
    ...(products ? [] : [t('replace.takesOver', { card: name })]),
    ...(products?.length ? [t('replace.pays', { products: new Intl.ListFormat(locale).format(products) })] : []),
    t('replace.removes', { card: name }),
  ])
}
