import { createSetupIntent, finishSetupIntent } from '@atrium/contract/cards.ts'
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
import { useMember } from '../../page/member.data.ts'
import { usePaymentConfirmation } from '../../page/use-payment-confirmation.ts'
import { askAgain, cardsQuery } from './cards.data.ts'

/**
 * Adds the card that stands in the provider’s fields (000 §4): payment method → setup intent → the bank, where it asks → the
 * list is fresh. While nobody knows what became of a try, the fields stay as they are (`isUnknown`), and the next one is about
 * the same payment method, and adds it once.
 */
export function useAddCard() {
  const [stripe, elements] = [useStripe(), useElements()]
  const confirm = usePaymentConfirmation()
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const { firstName, lastName } = useMember()
  const name = `${firstName} ${lastName}`.trim()
  // Until the cardholder is said to be somebody else.
  const holder = { ...(name && { billing_details: { name } }), metadata: { firstName, lastName } }
  const method = useRef<string>(undefined)

  const [isUnknown, setUnknown] = useState(false)
  const isUnmounted = useIsUnmounted()
  const problemText = useProblemText()

  /** What stands in the fields is another card, and another request. */
  function forget() {
    if (method.current !== undefined) idempotency.renew()
    method.current = undefined
    setUnknown(false)
  }

  async function methodOfFields(): Promise<string | undefined> {
    if (!stripe || !elements) return undefined
    const { error: refusal } = await elements.submit()
    // The fields say so themselves.
    if (refusal?.type === 'validation_error') return undefined
    if (refusal) throw problemOf(refusal)
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements, params: holder })
    if (error) throw problemOf(error)
    return paymentMethod.id
  }

  async function save(paymentMethodId: string): Promise<void> {
    const intent = await call(createSetupIntent, { body: { paymentMethodId } }, { key: idempotency.key })
    if (intent.status === 'succeeded') return
    await confirm(intent.secret)
    await call(finishSetupIntent, { params: { id: intent.id } })
  }

  /** The card’s id; nothing where the fields themselves say what is wrong. Throws a `CallProblem`. */
  async function add(): Promise<string | undefined> {
    method.current ??= await methodOfFields()
    const id = method.current
    if (id === undefined) return undefined
    try {
      await save(id)
    } catch (problem) {
      if (problem instanceof CallProblem && problem.isRefusal) forget()
      else setUnknown(true)
      askAgain(queryClient, problem)
      // Who went elsewhere while the bank asked has no form that says so.
      if (isUnmounted.current) showFailure(problemText(problem))
      throw problem
    }
    // It is on file, whether or not the list can be had at the moment. One from before does not know of it.
    await queryClient.cancelQueries(cardsQuery)
    await queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 }).catch(() => void queryClient.resetQueries(cardsQuery))
    return id
  }

  return { add, forget, isUnknown }
}

/** The provider’s own sentence (000 §8), unless it could not be reached, or takes no more at the moment. */
function problemOf({ type, code, message }: StripeError): CallProblem {
  const isAway = type === 'api_connection_error' || type === 'api_error' || type === 'rate_limit_error'
  if (isAway || code === 'rate_limit') return new CallProblem('card_provider_unavailable')
  return new CallProblem('card_refused', { status: 402, ...(message && { detail: message }) })
}
