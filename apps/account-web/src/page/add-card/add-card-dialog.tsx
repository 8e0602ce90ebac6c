import { CallProblem } from '@atrium/ui/call-problem.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure, InlineFailure } from '@atrium/ui/failure.tsx'
import { Elements } from '@stripe/react-stripe-js'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cardSdkQuery, elementLocale } from '../card-sdk.ts'
import { usePage } from '../page-data.ts'
import { CardForm, type CardFormTexts } from './card-form.tsx'
import { CardFormSkeleton } from './card-form-skeleton.tsx'
import { useAppearance } from './use-appearance.ts'
import { useBillingCountry } from './use-billing-country.ts'

interface Props extends Partial<CardFormTexts> {
  title?: string
  /** The form is busy until it ends. */
  onAdded(paymentMethodId: string): void | Promise<void>
  onClose(): void
}

/** The provider's script or frames could not be loaded. */
const unreachable = new CallProblem('card_provider_unavailable')

/** Why a support agent gets no fields: what is typed there goes to the provider at once. */
const readOnly = new CallProblem('support_read_only')

/** The provider's fields, in the provider's frame: a card number never reaches this page. */
export function AddCardDialog({ title, saveLabel, effect, onAdded, onClose }: Props) {
  const { t } = useTranslation('cards')
  const page = usePage()
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
      {page.support && <InlineFailure problem={readOnly} />}
      {!page.support && isThere && stripe && !isFailed && (
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
            onBusy={setBusy}
            onEdited={setEdited}
            onFailed={() => setFailed(true)}
            onAdded={onAdded}
            onClose={onClose}
          />
        </Elements>
      )}
      {(isFailed || error) && (
        <Failure problem={unreachable} sentence={t('add.unreachable')} onRetry={retry} isRetrying={isFetching} />
      )}
      {!page.support && !isThere && !error && <CardFormSkeleton />}
    </DialogFrame>
  )
}
