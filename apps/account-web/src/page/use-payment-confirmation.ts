import { useQueryClient } from '@tanstack/react-query'
import { usePage } from './page-data.ts'

/**
 * Confirms a payment or a setup with the card provider's SDK, including the bank's authentication. Never rejects: the server
 * asks the provider for the outcome.
 */
export function usePaymentConfirmation(): (clientSecret: string) => Promise<void> {
  const queryClient = useQueryClient()
  const page = usePage()
  return async (clientSecret) => {
    try {
      // Most payments need no confirmation.
      const { cardSdkQuery } = await import('./card-sdk.ts')
      const stripe = await queryClient.fetchQuery(cardSdkQuery(page))
      await stripe.handleNextAction({ clientSecret })
    } catch {
      // The server asks the provider.
    }
  }
}
