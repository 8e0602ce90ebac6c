import { type CreditCard, maxCards } from '@atrium/contract/cards.ts'
import { CardGridSkeleton } from '@atrium/ui/card-grid.tsx'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { Failure } from '@atrium/ui/failure.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import { lacksDefault } from '../../page/default-card.rules.ts'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { useAddressDialog } from '../../page/use-address-dialog.ts'
import type { OpenDialog } from './card-dialogs.tsx'
import classes from './cards.module.css'
import { CardsSearch } from './cards.search.ts'
import { CardsOnFile } from './cards-on-file.tsx'
import { NoDefaultNotice } from './no-default-notice.tsx'
import { OverduePayments } from './overdue-payments.tsx'
import { useMakeDefault } from './use-make-default.ts'

const { Dialog: CardDialogs, preload } = loadableDialog(async () => (await import('./card-dialogs.tsx')).CardDialogs)

/** 000 §2.5. */
export function PaymentOptionManagementScreen() {
  const { t } = useTranslation('cards')
  const { t: frame } = useTranslation('frame')
  const { data, error, refetch, isFetching } = useQuery(cardsQuery)
  const { dialog, setDialog, close } = useCardDialog(data?.cardList)
  const makeDefault = useMakeDefault()
  const list = data?.cardList
  const usable = list?.filter(({ isExpired }) => !isExpired) ?? []
  const expiredDefault = list?.find(({ id, isExpired }) => isExpired && id === data?.defaultPaymentID)
  const payingCard = usable.find(({ id }) => id === data?.defaultPaymentID)

  const addButton = list && (
    <Button
      leftSection={<IconPlus size={16} stroke={1.8} aria-hidden />}
      onClick={() => setDialog(adding(list.length))}
      onMouseEnter={preload}
      onFocus={preload}
    >
      {t('add.title')}
    </Button>
  )

  return (
    <PageFrame
      title={frame('tabs.payment-option-management')}
      count={list?.length}
      lead={frame('leads.payment-option-management')}
      // An empty list has its own button.
      action={list && list.length > 0 && addButton}
    >
      {!list && error && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!list && !error && <CardGridSkeleton cards={3} lines={3} />}
      {list?.length === 0 && <EmptyState picture="card" sentence={t('empty')} action={addButton} />}
      {expiredDefault && (
        <div className={classes.notice}>
          <Notice
            tone="warning"
            action={
              <Button
                variant="default"
                onClick={() => setDialog({ name: 'replace', card: expiredDefault })}
                onMouseEnter={preload}
                onFocus={preload}
              >
                {t('actions.replace')}
              </Button>
            }
          >
            {t('expiredDefault')}
          </Notice>
        </div>
      )}
      {data && lacksDefault(data) && <NoDefaultNotice cards={data} onSetDefault={makeDefault} />}
      {payingCard && <OverduePayments card={payingCard} hasOther={usable.length > 1} />}
      {data && data.cardList.length > 0 && (
        <CardsOnFile {...data} onOpen={setDialog} onSetDefault={makeDefault} onPreload={preload} />
      )}
      {dialog && <CardDialogs dialog={dialog} onOpen={setDialog} onClose={close} />}
    </PageFrame>
  )
}

function adding(cards: number): OpenDialog {
  return cards >= maxCards ? { name: 'limit' } : { name: 'add' }
}

/** What a link opens; one for a card that is not on file opens nothing. */
function linkedDialog({ dialog, card: id }: CardsSearch, cards: readonly CreditCard[]): OpenDialog | undefined {
  if (dialog === 'add') return adding(cards.length)
  const card = cards.find((one) => one.id === id)
  return dialog && card && { name: dialog, card }
}

/**
 * The open dialog; at first the one that a link has led to.
 * @param cards those on file; undefined: not known yet
 */
function useCardDialog(cards: readonly CreditCard[] | undefined) {
  const [opened, setDialog] = useState<OpenDialog>()
  const [linked, setLinked] = useState<OpenDialog>()
  const search = CardsSearch.parse(useSearch({ strict: false }))
  const isLinked = search.dialog !== undefined
  const address = useAddressDialog<CardsSearch>(isLinked, { dialog: undefined, card: undefined }, true)

  // It stays what it was when it opened: its own success changes the list.
  const found = linked || !cards ? undefined : linkedDialog(search, cards)
  if (found) setLinked(found)

  // Whatever dialog followed the link's is closed with it.
  const [wasLinked, setWasLinked] = useState(isLinked)
  if (wasLinked !== isLinked) {
    setWasLinked(isLinked)
    setDialog(undefined)
    setLinked(undefined)
  }

  function close() {
    if (isLinked) address.close()
    else setDialog(undefined)
  }

  return { dialog: opened ?? (isLinked ? linked : undefined), setDialog, close }
}
