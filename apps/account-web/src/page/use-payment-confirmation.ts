import { useQueryClient } from '@tanstack/react-query'
import { cardSdkQuery } from './card-sdk.ts'
import { usePage } from './page-data.ts'

/**
 * Confirms a payment or a setup with the card provider’s SDK: the bank asks the cardholder, where it wants to. The returned
 * function never rejects: however the question ends, the server asks the provider what came of it.
 */
export function usePaymentConfirmation(): (clientSecret: string) => Promise<void> {
  const queryClient = useQueryClient()
  const page = usePage()
  return async (clientSecret) => {
    try {
      const stripe = await queryClient.fetchQuery(cardSdkQuery(page))
      await stripe.handleNextAction({ clientSecret })
    } catch {
      // The server knows more than this page.
    }
  }
}
