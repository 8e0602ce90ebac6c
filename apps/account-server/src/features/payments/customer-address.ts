import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import { addressesOf } from '../addresses/addresses.queries.ts'
import { customerIdOf } from './payments.queries.ts'

/**
 * Writes the default billing address to the provider’s customer, for tax and receipts. It is read again afterwards: of
 * two that write at once, the one that wrote the older address writes once more.
 */
export async function writeCustomerAddress({ db, cards }: Pick<Deps, 'db' | 'cards'>, memberId: string): Promise<void> {
  const customerId = await customerIdOf(db, { id: memberId })
  if (!customerId) return

  let written = ''
  for (;;) {
    const wanted = (await addressesOf(db, { id: memberId })).find(({ isDefault }) => isDefault)
    if (!wanted || JSON.stringify(wanted) === written) return
    const { firstName, lastName, street, city, state, zip, country } = wanted
    try {
      await cards.updateCustomer(customerId, {
        name: `${firstName} ${lastName}`.trim(),
        address: { line1: street, city, state, postal_code: zip, country },
      })
    } catch (error) {
      // Deleted at the provider: the next need makes another, and writes it then.
      if (error instanceof CardFailure && error.kind === 'missing') return
      throw error
    }
    written = JSON.stringify(wanted)
  }
}
