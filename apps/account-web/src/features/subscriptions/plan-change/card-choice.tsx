import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { brandName } from '../../../page/card-brand.rules.ts'
import { cardsQuery } from '../../../page/cards.data.ts'
import classes from './plan-change.module.css'
import type { ChangeProps } from './use-plan-change.ts'

/** The card that pays. The others are asked for when the customer wants another one. */
export function CardChoice({ change }: Pick<ChangeProps, 'change'>) {
  const { t } = useTranslation('subscription-changes')
  const [isChoosing, setChoosing] = useState(false)
  const { detail, paymentMethodId, setCard, isBusy } = change
  const { data, isFetching, isError } = useQuery({ ...cardsQuery, enabled: isChoosing })
  const [paying] = detail.cardList
  const cards = data?.cardList ?? detail.cardList
  const nameOf = ({ card }: { card: { brand: string; last4: string } }) =>
    `${brandName(card.brand) ?? t('change.card')} ••••\u00a0${card.last4}`

  return (
    <div>
      <NativeSelect
        label={t('change.payWith')}
        value={paymentMethodId === '' ? (paying?.id ?? '') : paymentMethodId}
        onChange={({ currentTarget: { value } }) => setCard(value === paying?.id ? '' : value)}
        data={[
          ...(paying ? [] : [{ value: '', label: t('change.noCard'), disabled: true }]),
          ...cards.map((card) => ({ value: card.id, label: nameOf(card) })),
        ]}
        disabled={isBusy || (!paying && cards.length === 0)}
        error={isError ? t('change.cardsFailed') : undefined}
      />
      <div className={classes.cardActions}>
        {!data && (
          <Button variant="transparent" size="compact-sm" px={0} loading={isFetching} onClick={() => setChoosing(true)}>
            {t('change.otherCard')}
          </Button>
        )}
        <Link to="/account" search={{ tab: 'payment-option-management' }}>
          {t('change.addCard')}
        </Link>
      </div>
    </div>
  )
}
