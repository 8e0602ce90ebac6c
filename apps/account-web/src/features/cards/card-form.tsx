import { DialogActions } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { Button } from '@mantine/core'
import { PaymentElement } from '@stripe/react-stripe-js'
import { IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { cardsQuery } from './cards.data.ts'
import classes from './cards.module.css'
import { useAddCard } from './use-add-card.ts'

interface Props {
  onBusy(isBusy: boolean): void
  /** The provider’s fields do not come. */
  onFailed(): void
  onAdded(paymentMethodId: string): void
  onClose(): void
}

export function CardForm({ onBusy, onFailed, onAdded, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const [isReady, setReady] = useState(false)
  const { data } = useQuery(cardsQuery)
  const country = data?.cardList[0]?.billingDetails.address.country
  const addition = useAddCard()
  const isBack = useRef(false)
  useGivenUp(isReady, onFailed)
  const add = useMutation({
    mutationFn: addition.add,
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false)
      isBack.current = false
    },
    onSuccess: (paymentMethodId) => paymentMethodId !== undefined && onAdded(paymentMethodId),
  })

  /**
   * What was said of the card before is not said of this one. While nobody knows of it, it stays what it is; and fields
   * to which nobody came back tell of changes that nobody made.
   */
  function change() {
    if (add.isPending || addition.isUnknown || !isBack.current) return
    addition.forget()
    if (add.error) add.reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const from = document.activeElement
    // The button that was pressed could not keep the focus while it waited.
    add.mutate(undefined, { onSettled: () => returnLostFocus(from) })
  }

  return (
    <form onSubmit={submit} noValidate>
      {add.error && !add.isPending && <InlineFailure problem={add.error} />}
      {!isReady && <CardFormSkeleton />}
      <PaymentElement
        className={isReady ? '' : (classes.notReady ?? '')}
        options={{
          wallets: { applePay: 'never', googlePay: 'never' },
          terms: { card: 'never' },
          // Where the other cards are billed; the provider guesses otherwise.
          defaultValues: { billingDetails: { address: country ? { country } : {} } },
          readOnly: add.isPending || addition.isUnknown,
        }}
        onReady={(element) => {
          setReady(true)
          element.focus()
        }}
        onFocus={() => {
          isBack.current = true
        }}
        onEscape={() => !add.isPending && onClose()}
        onLoadError={onFailed}
        onChange={change}
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

/** For so long the fields may be on their way: a frame that is blocked says nothing. */
const timeoutMs = 20_000

function useGivenUp(isReady: boolean, onFailed: () => void): void {
  const giveUp = useEffectEvent(onFailed)
  useEffect(() => {
    if (isReady) return undefined
    const timer = setTimeout(() => giveUp(), timeoutMs)
    return () => clearTimeout(timer)
  }, [isReady])
}
