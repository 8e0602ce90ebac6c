import type { ChangeDetail } from '@atrium/contract/change-details.ts'
import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { storeReply } from '../../../api/query-client.ts'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { changeQuery, freshQuote, useAskBankAgain, useFinishAtPaypal, usePayChange } from './plan-change.data.ts'
import { type ChangeName, changeTypes, quantityOf } from './plan-change.rules.ts'
import { type Payment, sentPayment } from './sent-payment.ts'
import { useCoupon } from './use-coupon.ts'

/** Milliseconds after the last key until another quantity is quoted. */
const typingMs = 350

interface Wanted {
  sid: string
  name: ChangeName
  /** How many more it begins with. */
  initialQuantity: number
}

/** What is asked for, its quote, and how the payment stands. */
export function usePlanChange({ sid, name, initialQuantity }: Wanted) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const [sent] = useState(() => sentPayment(sessionStorage, { sid, type: changeTypes[name] }, Date.now()))
  const { typed, setTyped, quantity, increasingNumber, isCapped, limit } = useQuantity(
    sent?.asked.increasingNumber ?? initialQuantity,
  )
  const [upgradeSelect, setUpgrade] = useState(sent?.asked.upgradeSelect ?? '')
  const card = useCard()
  const [isChanged, setChanged] = useState(false)
  const wanted = { sid, type: changeTypes[name], increasingNumber, upgradeSelect }
  const coupon = useCoupon(wanted)
  const asked = { ...wanted, couponCode: coupon.code }
  const query = changeQuery(asked)
  const { data: detail, error, refetch, isPlaceholderData, isFetching } = useQuery(query)
  const payment = useChangePayment(sid)
  if (detail) limit(detail.maxIncrease)
  if (error && coupon.code !== '') coupon.refuse(error)

  /** What follows is another request. */
  function changed<Value>(set: (value: Value) => void) {
    return (value: Value) => {
      idempotency.renew()
      setChanged(false)
      payment.reset()
      set(value)
    }
  }

  function show(quote: ChangeQuote) {
    const isSameCard = quote.paymentMethodId === (detail?.cardList[0]?.id ?? '')
    if (isSameCard) void storeReply(queryClient, query.queryKey, (known) => known && { ...known, quote })
    // A quote names its card only by its id.
    else void refetch()
    idempotency.renew()
    setChanged(true)
  }

  function confirm() {
    if (!detail) return
    setChanged(false)
    const { quoteId, discount } = detail.quote
    const paymentMethodId = cardToCharge(name, card.paymentMethodId, detail)
    payment.pay({ asked, quoteId, discount, paymentMethodId, key: idempotency.key }, show, onRefusal)
  }

  /** A quote is used once: after a refusal the next try needs another one. */
  function onRefusal(problem: Error) {
    if (!(problem instanceof CallProblem && problem.isRefusal)) return
    idempotency.renew()
    if (!coupon.refuse(problem)) void refetch()
  }

  useContinued(sent, (wanted) => payment.pay(wanted, show, onRefusal))

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
    ...payment,
    confirm,
    finishAtPaypal: () => payment.finishAtPaypal(onRefusal),
    continueWaiting: () => payment.continueWaiting(onRefusal),
  }
}

/**
 * The page was reloaded before the answer came: the same request is sent again, and shows how the payment ended, in place of an offer to
 * pay once more.
 */
function useContinued(sent: Payment | undefined, pay: (payment: Payment) => void) {
  const isBegun = useRef(false)
  useEffect(() => {
    if (!sent || isBegun.current) return
    isBegun.current = true
    pay(sent)
  }, [sent, pay])
}

/** How the payment stands: with the bank's question asked again, or after the approval at PayPal. */
function useChangePayment(sid: string) {
  const pay = usePayChange()
  const askAgain = useAskBankAgain(sid)
  const atPaypal = useFinishAtPaypal(sid)
  const purchase = atPaypal.data ?? askAgain.data ?? pay.data
  const isWaiting = purchase?.paymentIntentStatus === 'requires_action'

  const isUnclear = pay.isPending && pay.failureCount > 0
  const isBusy = pay.isPending || askAgain.isPending || atPaypal.isPending

  const problem = atPaypal.error ?? askAgain.error ?? pay.error

  return {
    purchase,
    refusal: freshQuote(problem) ? null : problem,
    /** The answer was lost: the same request is sent again until its outcome is known. */
    isUnclear,
    /** Until then the dialog stays open; a lost answer is in My Orders later. */
    mayClose: isUnclear || !isBusy,
    isBusy,
    isPaying: pay.isPending,
    /** The order that waits for the customer's approval at PayPal; undefined: none. */
    ordered: isWaiting && purchase.payType === 'paypal' ? pay.data : undefined,
    /** The server has asked PayPal, and it was not approved. */
    isUnapproved: atPaypal.data?.paymentIntentStatus === 'requires_action',
    pay(wanted: Payment, onChanged: (quote: ChangeQuote) => void, onRefusal: (problem: Error) => void) {
      atPaypal.reset()
      pay.mutate(wanted, {
        onError(problem) {
          const fresh = freshQuote(problem)
          if (fresh) onChanged(fresh)
          else onRefusal(problem)
        },
      })
    },
    askBankAgain: () => purchase && askAgain.mutate(purchase),
    /** Of an earlier change, which is in the way of this one. */
    continueWaiting: (onRefusal: (problem: Error) => void) => askAgain.mutate(undefined, { onError: onRefusal }),
    finishAtPaypal(onRefusal: (problem: Error) => void) {
      if (!pay.data) return
      atPaypal.mutate(pay.data, {
        onError(problem) {
          // What was ordered is over: the form shows why.
          if (problem instanceof CallProblem && problem.isRefusal) pay.reset()
          onRefusal(problem)
        },
      })
    },
    reset() {
      pay.reset()
      askAgain.reset()
      atPaypal.reset()
    },
  }
}

/** How many more: as typed, and as it is asked for. */
function useQuantity(initial: number) {
  const [typed, setTyped] = useState(String(initial))
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

/** A prepaid term has no card of its own: the one that is shown is charged, whatever the default is by now. */
function cardToCharge(name: ChangeName, chosen: string, { cardList }: ChangeDetail): string {
  return chosen === '' && name === 'renew' ? (cardList[0]?.id ?? '') : chosen
}

/** The parts of a dialog whose quote is there. */
export interface ChangeProps {
  name: ChangeName
  change: ReturnType<typeof usePlanChange> & { detail: ChangeDetail }
}
