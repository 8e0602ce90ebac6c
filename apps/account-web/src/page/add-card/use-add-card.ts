import { createSetupIntent, finishSetupIntent } from '@atrium/contract/cards.ts'
import { addPayingCard } from '@atrium/contract/paying-cards.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { useIsUnmounted } from '@atrium/ui/use-is-unmounted.ts'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeError } from '@stripe/stripe-js'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { cardsQuery, payingCardsKey, reloadCards } from '../cards.data.ts'
import { useMember } from '../member.data.ts'
import { usePaymentConfirmation } from '../use-payment-confirmation.ts'
import { providerAway } from './provider-away.ts'

/**
 * Adds the card in the provider's fields (000 §4): payment method → setup intent → the bank's authentication if required →
 * list. While it is sent, and while the outcome is unknown (`isUnknown`), the fields are locked (`isLocked`); a retry with the same
 * payment method adds it only once. Fields that are only checked stay writable: the provider focuses the first wrong one.
 */
export function useAddCard(target: CardTarget = {}) {
  const [stripe, elements] = [useStripe(), useElements()]
  const confirm = usePaymentConfirmation()
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const { firstName, lastName } = useMember()
  const name = `${firstName} ${lastName}`.trim()
  // The default cardholder, until edited.
  const holder = { ...(name && { billing_details: { name } }), metadata: { firstName, lastName } }
  const method = useRef<string>(undefined)

  const [isUnknown, setUnknown] = useState(false)
  const [isSending, setSending] = useState(false)
  const isUnmounted = useIsUnmounted()
  const problemText = useProblemText()

  /** The fields have another card, so the next request is a different one. */
  function forget() {
    if (method.current !== undefined) idempotency.renew()
    method.current = undefined
    setUnknown(false)
  }

  async function methodOfFields(): Promise<string | undefined> {
    if (!stripe || !elements) return undefined
    const { error: refusal } = await elements.submit()
    // The fields show these errors themselves.
    if (refusal?.type === 'validation_error') return undefined
    if (refusal) throw problemOf(refusal)
    setSending(true)
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements, params: holder })
    if (error) throw problemOf(error)
    return paymentMethod.id
  }

  async function save(paymentMethodId: string): Promise<void> {
    const intent = await send(paymentMethodId, target, { key: idempotency.key })
    if (intent.status === 'succeeded') return
    await confirm(intent.secret)
    await call(finishSetupIntent, { params: { id: intent.id } })
  }

  /** The card's id; undefined if the fields show an error, the first of which has the focus. Throws a `CallProblem`. */
  async function add(): Promise<string | undefined> {
    try {
      return await addOnce()
    } finally {
      setSending(false)
    }
  }

  async function addOnce(): Promise<string | undefined> {
    method.current ??= await methodOfFields()
    const id = method.current
    if (id === undefined) return undefined
    try {
      await save(id)
    } catch (problem) {
      if (problem instanceof CallProblem && problem.isRefusal) forget()
      else setUnknown(true)
      reloadCards(queryClient, problem)
      // The form that would show it is gone.
      if (isUnmounted.current) showFailure(problemText(problem))
      throw problem
    }
    // The card is on file even if the list cannot be loaded. A list requested earlier would lack it.
    await queryClient.cancelQueries(cardsQuery)
    void queryClient.invalidateQueries({ ...payingCardsKey, refetchType: 'all' })
    await queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 }).catch(() => void queryClient.resetQueries(cardsQuery))
    return id
  }

  return { add, forget, isLocked: isSending || isUnknown, isUnknown }
}

/** Where the card is put on file: a card pays only there. */
export interface CardTarget {
  /** A subscription that it is to pay for. */
  sid?: string | undefined
  /** A card that it is to replace. */
  besides?: string | undefined
}

function send(paymentMethodId: string, { sid, besides }: CardTarget, options: { key: string }) {
  if (sid !== undefined) return call(addPayingCard, { params: { sid }, body: { paymentMethodId } }, options)
  return call(createSetupIntent, { body: { paymentMethodId, ...(besides && { besides }) } }, options)
}

/** The provider's sentence (000 §8), unless it cannot be reached or is rate limiting. */
function problemOf({ type, code, message }: StripeError): CallProblem {
  const isAway = type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error'
  if (isAway || code === 'rate_limit') return providerAway()
  return new CallProblem('card_refused', { status: 402, ...(message && { detail: message }) })
}
