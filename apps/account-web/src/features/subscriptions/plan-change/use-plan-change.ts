import type { ChangeQuote } from '@atrium/contract/plan-changes.ts'
import { CallProblem } from '@atrium/ui/call-problem.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useIdempotencyKey } from '../../../api/use-idempotency-key.ts'
import { type ChangeDetail, changeQuery, freshQuote, useAskBankAgain, usePayChange } from './plan-change.data.ts'
import { type ChangeName, changeTypes, quantityOf } from './plan-change.rules.ts'

/** Milliseconds after the last key until another quantity is quoted. */
const typingMs = 350

/** What is asked for, its quote, and how the payment stands. */
export function usePlanChange(sid: string, name: ChangeName) {
  const queryClient = useQueryClient()
  const idempotency = useIdempotencyKey()
  const [typed, setTyped] = useState<number | string>(1)
  const [upgradeSelect, setUpgrade] = useState('')
  const [paymentMethodId, setCard] = useState('')
  const [isChanged, setChanged] = useState(false)
  const [most, setMost] = useState(Number.POSITIVE_INFINITY)
  const { quantity, isCapped } = quantityOf(typed, most)
  const [increasingNumber] = useDebouncedValue(quantity, typingMs)
  const asked = { sid, type: changeTypes[name], increasingNumber, upgradeSelect }
  const query = changeQuery(asked)
  const { data: detail, error, refetch, isPlaceholderData, isFetching } = useQuery(query)
  const pay = usePayChange()
  const askAgain = useAskBankAgain(sid)
  const purchase = askAgain.data ?? pay.data
  if (detail && detail.maxIncrease !== most) setMost(detail.maxIncrease)

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
    const payment = { asked, quoteId: detail.quote.quoteId, paymentMethodId, key: idempotency.key }
    pay.mutate(payment, {
      onError(problem) {
        const fresh = freshQuote(problem)
        if (fresh) return show(fresh)
        // A quote is used once: after a refusal the next try needs another one.
        if (problem instanceof CallProblem && problem.isRefusal) {
          idempotency.renew()
          void refetch()
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
    paymentMethodId,
    setTyped: changed(setTyped),
    setUpgrade: changed(setUpgrade),
    setCard: changed(setCard),
    /** The shown quote is of what was asked before. */
    isStale: isPlaceholderData || isFetching || increasingNumber !== quantity,
    /** It costs something else than when the customer confirmed it. */
    isChanged,
    refusal: freshQuote(refusal) ? null : refusal,
    purchase,
    isBusy: pay.isPending || askAgain.isPending,
    confirm,
    askBankAgain: () => purchase && askAgain.mutate(purchase),
  }
}

/** The parts of a dialog whose quote is there. */
export interface ChangeProps {
  name: ChangeName
  change: ReturnType<typeof usePlanChange> & { detail: ChangeDetail }
}
