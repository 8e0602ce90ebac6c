import type { CardList } from '@atrium/contract/cards.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { onlyCard } from '../../page/default-card.rules.ts'
import classes from './cards.module.css'
import { useCardName } from './use-card-name.ts'

interface Props {
  cards: CardList
  /** Of the screen: this notice is gone before the answer is there. */
  onSetDefault(paymentMethodId: string): void
}

/** None of the cards is charged by default; with one alone, that is mended here. */
export function NoDefaultNotice({ cards, onSetDefault }: Props) {
  const { t } = useTranslation('cards')
  const nameOf = useCardName()
  const only = onlyCard(cards)
  if (!only) {
    return (
      <div className={classes.notice}>
        <Notice tone="warning">{t('noDefault')}</Notice>
      </div>
    )
  }

  return (
    <div className={classes.notice}>
      <Notice tone="warning" action={<Button onClick={() => onSetDefault(only.id)}>{t('actions.setDefault')}</Button>}>
        {t('notDefault', { card: nameOf(only) })}
      </Notice>
    </div>
  )
}
