import type { CreditCard } from '@atrium/contract/cards.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import { useCardName } from './use-card-name.ts'
import { useMakeDefault } from './use-make-default.ts'

/** A card was just added: whether it is the default, or else the way to make it so, and what its form is for. */
export function AddedNotice({ card }: { card: CreditCard }) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const nameOf = useCardName()
  const makeDefault = useMakeDefault()
  const { data } = useQuery(cardsQuery)
  const isDefault = data?.defaultPaymentID === card.id
  const other = data?.cardList.find(({ id }) => id === data.defaultPaymentID && !isDefault)
  const standing = isDefault ? [t('edit.isDefault')] : []
  const remaining = other ? [t('edit.otherDefault', { card: nameOf(other) })] : []

  return (
    <Notice
      tone="info"
      title={t('edit.added')}
      action={
        data &&
        !isDefault && (
          <Button variant="default" onClick={() => makeDefault(card.id)}>
            {t('actions.setDefault')}
          </Button>
        )
      }
    >
      {joinSentences(locale, [...standing, ...remaining, t('edit.addedNext')])}
    </Notice>
  )
}
