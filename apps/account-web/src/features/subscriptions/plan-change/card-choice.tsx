import type { CreditCard } from '@atrium/contract/cards.ts'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../../page/card-name.ts'
import { payingCardsQuery } from '../../../page/cards.data.ts'
import { loadableDialog } from '../../../page/loadable-dialog.tsx'
import { loadTexts } from '../../../page/texts.ts'
import classes from './plan-change.module.css'
import type { ChangeProps } from './use-plan-change.ts'

const { Dialog: AddCardDialog, preload } = loadableDialog(async () => {
  const code = import('../../../page/add-card/add-card-dialog.tsx').then((module) => module.AddCardDialog)
  const [Dialog] = await Promise.all([code, loadTexts('cards')])
  return Dialog
})

/** Puts a card on file that pays for the change, and returns to it. */
export function AddPayingCard({ change: { detail, setCard, setAddingCard } }: Pick<ChangeProps, 'change'>) {
  return (
    <AddCardDialog
      target={{ sid: detail.stripeSubscriptionId }}
      onAdded={(paymentMethodId) => {
        setCard(paymentMethodId)
        setAddingCard(false)
      }}
      onClose={() => setAddingCard(false)}
    />
  )
}

/** The card that pays. The others are asked for when the customer wants another one. */
export function CardChoice({ name, change }: ChangeProps) {
  const { t } = useTranslation('subscription-changes')
  const { detail, paymentMethodId, setCard, isBusy } = change
  const [wantsOther, setWantsOther] = useState(false)
  const [paying] = detail.cardList
  const isExpired = paying?.isExpired === true && paymentMethodId === ''
  const isChoosing = wantsOther || isExpired || paymentMethodId !== ''
  const { data, isFetching, isError } = useQuery({
    ...payingCardsQuery(detail.stripeSubscriptionId, 'change'),
    enabled: isChoosing,
  })
  const cards = data?.cardList ?? detail.cardList
  const nameOf = ({ card, isExpired }: Pick<CreditCard, 'card' | 'isExpired'>) => {
    const name = cardName(card, t('change.card'))
    return isExpired ? t('change.expiredCard', { card: name }) : name
  }
  const fault = isExpired ? t('change.cardExpired') : undefined
  const cardFault = isError ? t('change.cardsFailed') : fault

  return (
    <div>
      <NativeSelect
        label={t('change.payWith')}
        value={paymentMethodId === '' ? (paying?.id ?? '') : paymentMethodId}
        onChange={({ currentTarget: { value } }) => setCard(value === paying?.id ? '' : value)}
        data={[
          ...(paying || paymentMethodId !== '' ? [] : [{ value: '', label: t('change.noCard'), disabled: true }]),
          ...cards.map((card) => ({ value: card.id, label: nameOf(card), disabled: card.isExpired })),
        ]}
        disabled={isBusy || (!paying && cards.length === 0)}
        // What is paid once, a prepaid term, has no renewals.
        description={paymentMethodId !== '' && name !== 'renew' ? t('change.paysRenewals') : undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        error={cardFault}
      />
      <div className={classes.cardActions}>
        {!data && paying && (
          <Button
            variant="transparent"
            size="compact-sm"
            px={0}
            loading={isFetching}
            onClick={() => setWantsOther(true)}
          >
            {t('change.otherCard')}
          </Button>
        )}
        <Button
          variant="transparent"
          size="compact-sm"
          px={0}
          disabled={isBusy}
          onMouseEnter={preload}
          onFocus={preload}
          onClick={() => change.setAddingCard(true)}
        >
          {t('change.addCard')}
        </Button>
      </div>
    </div>
  )
}
