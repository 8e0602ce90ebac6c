import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { useCloseDialog } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { PaymentElement } from '@stripe/react-stripe-js'
import { IconCreditCard, IconLock } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../cards.data.ts'
import { becomesDefault } from '../default-card.rules.ts'
import classes from './card-form.module.css'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { type CardTarget, useAddCard } from './use-add-card.ts'

export interface CardFormTexts {
  saveLabel: string
  /** What else will happen; undefined: what the new card will pay for. */
  effect: string | undefined
}

interface Props extends CardFormTexts {
  /** ISO 3166-1 alpha-2; undefined: the provider guesses it. */
  country: string | undefined
  onBusy(isBusy: boolean): void
  onEdited(isEdited: boolean): void
  /** The provider's fields could not be loaded. */
  onFailed(): void
  /** The form is busy until it ends. */
  target?: CardTarget | undefined
  onAdded(paymentMethodId: string): void | Promise<void>
  onClose(): void
}

export function CardForm({ country, target, saveLabel, effect, onBusy, onEdited, onFailed, onAdded, onClose }: Props) {
  const { t } = useTranslation('cards')
  const [isReady, setReady] = useState(false)
  const addition = useAddCard(target)
  const isBack = useRef(false)
  const closeDialog = useCloseDialog()
  useLoadTimeout(isReady, onFailed)
  const add = useMutation({
    async mutationFn() {
      const paymentMethodId = await addition.add()
      if (paymentMethodId !== undefined) await onAdded(paymentMethodId)
    },
    onMutate: () => onBusy(true),
    onSettled: () => {
      onBusy(false)
      isBack.current = false
    },
  })

  /**
   * A changed card clears the failure of the previous one, unless its outcome is unknown. The fields emit changes even if
   * nobody has edited them.
   */
  function change() {
    if (add.isPending || addition.isUnknown || !isBack.current) return
    addition.forget()
    if (add.error) add.reset()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    const from = document.activeElement
    add.mutate(undefined, {
      // The submit button lost the focus while it was busy.
      onError: () => returnLostFocus(from),
    })
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
          defaultValues: { billingDetails: { address: country ? { country } : {} } },
          readOnly: addition.isLocked,
        }}
        onReady={(element) => {
          setReady(true)
          element.focus()
        }}
        onFocus={() => {
          isBack.current = true
        }}
        onEscape={closeDialog}
        onLoadError={onFailed}
        onChange={({ empty }) => {
          onEdited(!empty)
          change()
        }}
      />
      {effect === undefined ? !target && <DefaultNote /> : <Note>{effect}</Note>}
      <p className={classes.promise}>
        <IconLock size={16} stroke={1.6} aria-hidden />
        <span>{t('add.promise')}</span>
      </p>
      <FormActions label={saveLabel} isBusy={add.isPending} isDisabled={!isReady} onClose={onClose} />
    </form>
  )
}

/** What the new card will pay for, where no default card would. */
function DefaultNote() {
  const { t } = useTranslation('cards')
  const { data: cards } = useQuery(cardsQuery)
  if (!cards || !becomesDefault(cards)) return null
  return <Note>{t('add.becomesDefault')}</Note>
}

function Note({ children }: { children: string }) {
  return (
    <p className={classes.promise}>
      <IconCreditCard size={16} stroke={1.6} aria-hidden />
      <span>{children}</span>
    </p>
  )
}

/** Milliseconds that the fields may take to load: there is no event for a blocked frame. */
const timeoutMs = 20_000

function useLoadTimeout(isReady: boolean, onFailed: () => void): void {
  const giveUp = useEffectEvent(onFailed)
  useEffect(() => {
    if (isReady) return undefined
    const timer = setTimeout(() => giveUp(), timeoutMs)
    return () => clearTimeout(timer)
  }, [isReady])
}
