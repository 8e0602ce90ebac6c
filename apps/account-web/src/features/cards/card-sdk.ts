import type { PageSettings } from '@atrium/contract/session.ts'
import type { Stripe, StripeElementLocale } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { queryOptions } from '@tanstack/react-query'

type CardProvider = NonNullable<PageSettings['cards']>

/** Of the page’s settings; only a vendor with a card provider has the tab of these screens. */
export function cardProviderOf({ cards }: PageSettings): CardProvider {
  if (!cards) throw new Error('There is no card provider.')
  return cards
}

/** The card provider’s browser SDK, loaded when somebody is about to add a card, from where the vendor’s settings say. */
export const cardSdkQuery = ({ scriptUrl, publishableKey }: CardProvider, locale: StripeElementLocale) =>
  queryOptions({
    queryKey: ['card-sdk', scriptUrl],
    queryFn: async (): Promise<Stripe> => {
      await loadScript(scriptUrl)
      const stripe = await loadStripe(publishableKey, { locale })
      if (!stripe) throw new Error('The card provider’s script is not there.')
      return stripe
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Once it stands, the provider’s own loader finds what it defines and loads nothing more. */
function loadScript(src: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = src
    script.onload = () => resolve()
    script.onerror = () => {
      script.remove()
      reject(new Error('The card provider’s script could not be loaded.'))
    }
    document.head.append(script)
  })
}
