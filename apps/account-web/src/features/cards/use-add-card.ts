import { createSetupIntent, finishSetupIntent } from '@atrium/contract/cards.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useElements, useStripe } from '@stripe/react-stripe-js'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../../api/call.ts'
import { useActKey } from '../../api/use-act-key.ts'
import { cardsQuery } from './cards.data.ts'

/**
 * Adds the card that stands in the provider’s fields (000 §4): payment method → setup intent → the bank, where it asks → the
 * list is fresh. While nobody knows what became of a try, the next one is about the same payment method, and adds it once.
 */
export function useAddCard() {
  const [stripe, elements] = [useStripe(), useElements()]
  const queryClient = useQueryClient()
  const act = useActKey()
  const method = useRef<string>(undefined)

  /** What stands in the fields is another card, and another act. */
  function forget() {
    if (method.current !== undefined) act.renew()
    method.current = undefined
  }

  async function methodOfFields(): Promise<string | undefined> {
    if (!stripe || !elements) return undefined
    const typed = await elements.submit()
    if (typed.error) return undefined
    const { paymentMethod, error } = await stripe.createPaymentMethod({ elements })
    if (error) throw new CallProblem('card_refused', { status: 402, ...(error.message && { detail: error.message }) })
    return paymentMethod.id
  }

  async function save(paymentMethodId: string): Promise<void> {
    const intent = await call(createSetupIntent, { body: { paymentMethodId } }, { key: act.key })
    if (intent.status === 'succeeded') return
    // However the bank’s question ends: what came of it, the server asks the provider.
    await stripe?.handleNextAction({ clientSecret: intent.secret })
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
      void queryClient.invalidateQueries(cardsQuery)
      throw problem
    }
    // It is on file, whether or not the list can be had at the moment.
    await queryClient.fetchQuery({ ...cardsQuery, staleTime: 0 }).catch(() => undefined)
    return id
  }

  return { add, forget }
}
