import type { CreditCard } from '@atrium/contract/cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFailure } from '@atrium/ui/dialog-failure.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button, NativeSelect, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddCardDialog } from '../../page/add-card/add-card-dialog.tsx'
import { cardName } from '../../page/card-name.ts'
import { payingCardsQuery } from '../../page/cards.data.ts'
import { usePayWith } from './pay-with.data.ts'

/** What is so for good is not tried again. */
const final = ['not_renewing', 'payer_planned']

interface Props {
  subscription: Subscription
  onClose(): void
}

/** Another card pays for a subscription from now on, and what is overdue at once. */
export function PayWithDialog({ subscription, onClose }: Props) {
  const { t } = useTranslation('subscriptions')
  const { stripeSubscriptionId: sid, appName: product } = subscription
  const { data, error, refetch, isFetching } = useQuery(payingCardsQuery(sid, 'payer'))
  const [isAdding, setAdding] = useState(false)
  const payWith = usePayWith(subscription)
  const cards = data?.cardList.filter(({ id, isExpired }) => !isExpired && id !== subscription.paymentMethodId)

  const pay = (paymentMethodId: string) =>
    payWith.mutateAsync(paymentMethodId).then(
      () => {
        showSuccess(t('payer.changed', { product }))
        onClose()
      },
      // What was added is on file: it is chosen below, where the reason stands.
      () => setAdding(false),
    )

  if (isAdding || (cards?.length === 0 && !payWith.error))
    return (
      <AddCardDialog
        title={t('payer.title', { product })}
        target={{ sid }}
        effect={t('payer.effect')}
        onAdded={pay}
        onClose={onClose}
      />
    )

  return (
    <DialogFrame title={t('payer.title', { product })} onClose={onClose} busy={payWith.isPending} isForm>
      {cards && <CardForm {...{ cards, payWith, onClose }} onPay={pay} onAdd={() => setAdding(true)} />}
      {!cards && error && (
        <DialogFailure
          problem={error}
          isFinal={error instanceof CallProblem && final.includes(error.code)}
          onRetry={() => void refetch()}
          isRetrying={isFetching}
          onClose={onClose}
        />
      )}
      {!cards && !error && <Skeleton width="100%" height={96} />}
    </DialogFrame>
  )
}

interface FormProps extends Pick<Props, 'onClose'> {
  cards: readonly CreditCard[]
  payWith: ReturnType<typeof usePayWith>
  onPay(paymentMethodId: string): void
  onAdd(): void
}

function CardForm({ cards, payWith, onPay, onAdd, onClose }: FormProps) {
  const { t } = useTranslation('subscriptions')
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  const [chosen, setChosen] = useState(cards[0]?.id ?? '')
  const due = payWith.due
  const amount = due && formatMoney(locale, due)

  return (
    <Stack gap="sm">
      {payWith.error && <InlineFailure problem={payWith.error} />}
      <NativeSelect
        data-autofocus
        label={t('payer.choose')}
        value={chosen}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        data={cards.map(({ id, card }) => ({ value: id, label: cardName(card, t('payer.card')) }))}
        description={t('payer.effect')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        disabled={payWith.isPending}
      />
      <div>
        <Button variant="transparent" size="compact-sm" px={0} disabled={payWith.isPending} onClick={onAdd}>
          {t('payer.add')}
        </Button>
      </div>
      <DialogActions>
        <Button variant="default" disabled={payWith.isPending} onClick={onClose}>
          {common('cancel')}
        </Button>
        <Button loading={payWith.isPending} disabled={chosen === ''} onClick={() => onPay(chosen)}>
          {amount ? t('due.pay', { amount }) : t('payer.confirm')}
        </Button>
      </DialogActions>
    </Stack>
  )
}
