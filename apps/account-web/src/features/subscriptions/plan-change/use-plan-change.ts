import type { ChangeQuote } from '@atrium/contract/plan-changes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { type ChangeDetail, changeQuery, freshQuote, useAskBankAgain, usePayChange } from './plan-change.data.ts'
import { type ChangeName, changeTypes, quantityOf } from './plan-change.rules.ts'
import { useCoupon } from './use-coupon.ts'

/** Milliseconds after the last key until another quantity is quoted. */
const typingMs = 350

/** What is asked for, its quote, and how the payment stands. */
export function usePlanChange(sid: string, name: ChangeName) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const { typed, setTyped, quantity, increasingNumber, isCapped, limit } = useQuantity()
  const [upgradeSelect, setUpgrade] = useState('')
  const card = useCard()
  const [isChanged, setChanged] = useState(false)
  const wanted = { sid, type: changeTypes[name], increasingNumber, upgradeSelect }
  const coupon = useCoupon(wanted)
  const asked = { ...wanted, couponCode: coupon.code }
  const query = changeQuery(asked)
  const { data: detail, error, refetch, isPlaceholderData, isFetching } = useQuery(query)
  const pay = usePayChange()
  const askAgain = useAskBankAgain(sid)
  const purchase = askAgain.data ?? pay.data
  if (detail) limit(detail.maxIncrease)
  if (error && coupon.code !== '') coupon.refuse(error)

  /** What follows is another request. */
  function changed<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      idempotency.renew()
      setChanged(false)
      pay.reset()
      set(value)
    }
  }

  function show(quote: ChangeQuote) {
    queryClient.setQueryData(query.queryKey, (known) => known && { ...known, quote })
    idempotency.renew()
    setChanged(true)
  }

  function confirm() {
    if (!detail) return
    setChanged(false)
    const { quoteId, discount } = detail.quote
    const payment = { asked, quoteId, discount, paymentMethodId: card.paymentMethodId, key: idempotency.key }
    pay.mutate(payment, {
      onError(problem) {
        const fresh = freshQuote(problem)
        if (fresh) return show(fresh)
        // A quote is used once: after a refusal the next try needs another one.
        if (problem instanceof CallProblem && problem.isRefusal) {
          idempotency.renew()
          if (!coupon.refuse(problem)) void refetch()
        }
      },
    })
  }

  const refusal = askAgain.error ?? pay.error
  return {
    detail,
    problem: error,
    retry: () => void refetch(),
    typed,
    isCapped,
    upgradeSelect,
    ...card,
    coupon: { ...coupon, apply: changed(coupon.apply), remove: changed(coupon.remove) },
    setTyped: changed(setTyped),
    setUpgrade: changed(setUpgrade),
    setCard: changed(card.setCard),
    /** The shown quote is of what was asked before. */
    isStale: isPlaceholderData || isFetching || coupon.isChecking || increasingNumber !== quantity,
    /** It costs something else than when the customer confirmed it. */
    isChanged,
    refusal: freshQuote(refusal) ? null : refusal,
    purchase,
    isBusy: pay.isPending || askAgain.isPending,
    confirm,
    askBankAgain: () => purchase && askAgain.mutate(purchase),
  }
}

/** How many more: as typed, and as it is asked for. */
function useQuantity() {
  const [typed, setTyped] = useState<number | string>(1)
  const [most, setMost] = useState(Number.POSITIVE_INFINITY)
  const { quantity, isCapped } = quantityOf(typed, most)
  const [increasingNumber] = useDebouncedValue(quantity, typingMs)
  const limit = (known: number) => known !== most && setMost(known)
  return { typed, setTyped, quantity, increasingNumber, isCapped, limit }
}

/** The card that the customer chose; empty: the one that pays now. */
function useCard() {
  const [paymentMethodId, setCard] = useState('')
  /** Whether the dialog of a new card stands in the place of this one. */
  const [isAddingCard, setAddingCard] = useState(false)
  return { paymentMethodId, setCard, isAddingCard, setAddingCard }
}

/** The parts of a dialog whose quote is there. */
export interface ChangeProps {
  name: ChangeName
  change: ReturnType<typeof usePlanChange> & { detail: ChangeDetail }
}
