import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const everyMs = 3000

/** So often while the page is visible; then the payment was not made, or takes longer. */
const mostChecks = 20

/**
 * The customer pays in another tab: while this one is visible again, the lists are loaded until the payment is here, which the
 * provider's webhook brings.
 * @param lists the first part of their query keys
 */
export function usePaymentWatch(lists: 'orders' | 'subscriptions') {
  const queryClient = useQueryClient()
  const [isWatching, setIsWatching] = useState(false)

  useEffect(() => {
    if (!isWatching) return
    let checks = 0
    const check = () => {
      if (document.hidden) return
      checks += 1
      if (checks > mostChecks) setIsWatching(false)
      else void queryClient.invalidateQueries({ queryKey: [lists] })
    }
    const timer = setInterval(check, everyMs)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [isWatching, queryClient, lists])

  return { isWatching, watch: () => setIsWatching(true) }
}
