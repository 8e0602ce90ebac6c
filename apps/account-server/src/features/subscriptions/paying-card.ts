import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { mainCustomerId } from '../payments/customers/customers.queries.ts'

/** A card that is to pay is one of the member's, as the provider has them. @param paymentMethodId empty: none was chosen */
export async function expectOnFile(deps: Deps, member: { id: string }, paymentMethodId: string): Promise<void> {
  if (paymentMethodId === '') return
  const customerId = await mainCustomerId(deps.db, member)
  const stored = customerId === undefined ? undefined : await deps.cards.cards(customerId)
  if (!stored?.cards.some(({ id }) => id === paymentMethodId)) throw new Problem('not_found')
}
