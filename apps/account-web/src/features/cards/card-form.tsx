import { DialogActions } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { Button } from '@mantine/core'
import { PaymentElement } from '@stripe/react-stripe-js'
import { IconLock } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import classes from './cards.module.css'
import { useAddCard } from './use-add-card.ts'

interface Props {
  onBusy(isBusy: boolean): void
  onAdded(paymentMethodId: string): void
  onClose(): void
}

export function CardForm({ onBusy, onAdded, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const [isReady, setReady] = useState(false)
  const addition = useAddCard()
  const add = useMutation({
    mutationFn: addition.add,
    onMutate: () => onBusy(true),
    onSettled: () => onBusy(false),
    onSuccess: (paymentMethodId) => paymentMethodId !== undefined && onAdded(paymentMethodId),
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    add.mutate()
  }

  return (
    <form onSubmit={submit} noValidate>
      {add.error && !add.isPending && <InlineFailure problem={add.error} />}
      {!isReady && <CardFormSkeleton />}
      <PaymentElement
        className={isReady ? '' : (classes.notReady ?? '')}
        options={{ wallets: { applePay: 'never', googlePay: 'never' }, terms: { card: 'never' } }}
        onReady={() => setReady(true)}
        onChange={addition.forget}
      />
      <p className={classes.promise}>
        <IconLock size={16} stroke={1.6} aria-hidden />
        <span>{t('add.promise')}</span>
      </p>
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={add.isPending}>
          {common('cancel')}
        </Button>
        <Button type="submit" loading={add.isPending} disabled={!isReady}>
          {t('add.save')}
        </Button>
      </DialogActions>
    </form>
  )
}
