import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText, useProblemText } from '@atrium/ui/problem-text.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AskedChange, changeQuery } from './plan-change.data.ts'

/** The coupon of a change: used once the server has quoted with it. An error clears the discount (001 §4). */
export function useCoupon(asked: Omit<AskedChange, 'couponCode'>) {
  const queryClient = useQueryClient()
  const [code, setCode] = useState('')
  const [refusal, setRefusal] = useState<unknown>(null)
  const problemText = useProblemText()
  const fieldText = useFieldText()
  const { mutate, isPending } = useMutation({
    mutationFn: (couponCode: string) => queryClient.fetchQuery(changeQuery({ ...asked, couponCode })),
    onSuccess: (_detail, typed) => setCode(typed),
    onError: setRefusal,
  })
  const fault = couponFault(refusal)
  const otherwise = refusal === null ? undefined : problemText(refusal)

  return {
    code,
    isChecking: isPending,
    /** Why the last one cannot be used. */
    error: fault === undefined ? otherwise : fieldText(fault),
    apply(typed: string) {
      setRefusal(null)
      mutate(typed.trim())
    },
    remove() {
      setRefusal(null)
      setCode('')
    },
    /** Clears one that can no longer be used. @returns whether that was the problem */
    refuse(problem: unknown): boolean {
      if (couponFault(problem) === undefined) return false
      setRefusal(problem)
      setCode('')
      return true
    },
  }
}

function couponFault(problem: unknown): string | undefined {
  return fieldErrors(problem).couponCode
}
