import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure, InlineFailure } from '@atrium/ui/failure.tsx'
import { FormRefusalContext } from '@atrium/ui/form-refusal.ts'
import { Elements } from '@stripe/react-stripe-js'
import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardSdkQuery, elementLocale } from '../card-sdk.ts'
import { usePage } from '../page-data.ts'
import { CardForm, type CardFormTexts } from './card-form.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { providerAway } from './provider-away.ts'
import type { CardTarget } from './use-add-card.ts'
import { useAppearance } from './use-appearance.ts'
import { useBillingCountry } from './use-billing-country.ts'

interface Props extends Partial<CardFormTexts> {
  title?: string
  /** Left out: the page of cards. */
  target?: CardTarget
  /** The form is busy until it ends. */
  onAdded(paymentMethodId: string): void | Promise<void>
  onClose(): void
}

/** The provider's fields, in the provider's frame: a card number never reaches this page. */
export function AddCardDialog({ title, target, saveLabel, effect, onAdded, onClose }: Props) {
  const { t } = useTranslation('cards')
  const page = usePage()
  // A support agent gets no fields: what is typed there goes to the provider at once.
  const refusal = use(FormRefusalContext)
  const { data: stripe, error, refetch, isFetching } = useQuery(cardSdkQuery(page))
  const appearance = useAppearance()
  const { country, isKnown } = useBillingCountry()
  const isThere = stripe !== undefined && isKnown
  const [isBusy, setBusy] = useState(false)
  const [isEdited, setEdited] = useState(false)
  const [isFailed, setFailed] = useState(false)

  function retry() {
    setFailed(false)
    if (error) void refetch()
  }

  return (
    <DialogFrame title={title ?? t('add.title')} onClose={onClose} busy={isBusy} isForm isEdited={isEdited}>
      {refusal && <InlineFailure problem={refusal} />}
      {!refusal && isThere && stripe && !isFailed && (
        <Elements
          stripe={stripe}
          // A setup, without charge or amount.
          options={{
            mode: 'setup',
            currency: 'usd',
            allowedPaymentMethodTypes: ['card'],
            paymentMethodCreation: 'manual',
            locale: elementLocale(page.locale.code),
            appearance,
          }}
        >
          <CardForm
            country={country}
            saveLabel={saveLabel ?? t('add.save')}
            effect={effect}
            target={target}
            onBusy={setBusy}
            onEdited={setEdited}
            onFailed={() => setFailed(true)}
            onAdded={onAdded}
            onClose={onClose}
          />
        </Elements>
      )}
      {(isFailed || error) && (
        <Failure problem={providerAway()} sentence={t('add.unreachable')} onRetry={retry} isRetrying={isFetching} />
      )}
      {!refusal && !isThere && !error && <CardFormSkeleton />}
    </DialogFrame>
  )
}
