import { useQuery } from '@tanstack/react-query'
import { addressesQuery } from '../addresses.data.ts'
import { cardsQuery } from '../cards.data.ts'
import { usePage } from '../page-data.ts'
import { likelyCountry } from './likely-country.rules.ts'

/**
 * The country of a new card: of the default billing address, else of the default card, else where the customer most likely lives.
 * `isKnown` once the addresses are there, or cannot be loaded: the provider's fields take a country only at their beginning.
 */
export function useBillingCountry() {
  const { locale } = usePage()
  const { data, isPending } = useQuery(addressesQuery)
  const { data: cards } = useQuery(cardsQuery)
  const ofAddress = data?.list[0]?.orderBillCountry
  const ofCard = cards?.cardList[0]?.billingDetails.address.country
  return { country: ofAddress || ofCard || likelyCountry(locale.code, navigator.languages), isKnown: !isPending }
}
