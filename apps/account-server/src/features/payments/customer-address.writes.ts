import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import { takeUntold, tellDefault } from '../addresses/addresses.writes.ts'
import { customerIdOf, membersWithCustomer } from './payments.queries.ts'

/**
 * Writes the default billing address to the provider’s customer, for tax and receipts. It is read again afterwards: of
 * two that write at once, the one that wrote the older address writes once more.
 */
export async function writeCustomerAddress({ db, cards }: Pick<Deps, 'db' | 'cards'>, memberId: string): Promise<void> {
  const customerId = await customerIdOf(db, { id: memberId })
  if (!customerId) return

  let written = ''
  for (;;) {
    const wanted = await defaultAddressOf(db, { id: memberId })
    if (!wanted || wanted.print === written) return
    const { firstName, lastName, street, city, state, zip, country } = wanted.address
    try {
      await cards.updateCustomer(customerId, {
        name: `${firstName} ${lastName}`.trim(),
        address: { line1: street, city, state, postal_code: zip, country },
      })
    } catch (error) {
      // Deleted at the provider: the next need makes another, and writes it then.
      if (!(error instanceof CardFailure && error.kind === 'missing')) throw error
    }
    written = wanted.print
  }
}

/** About so many an hour: the provider bounds its calls a second. */
const mostAtOnce = 2000

/** Imports bring addresses and customers by the thousand, and tell nobody. */
export async function tellUntoldAddresses(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { atOnce = 1000 } = {},
): Promise<void> {
  let told = 0
  let isMore = true
  while (isMore && told < mostAtOnce) {
    await db.transaction(async (tx) => {
      const untold = await takeUntold(tx, atOnce)
      const followed = await membersWithCustomer(tx, untold)
      for (const member of followed) await tellDefault(jobs, tx, member)
      told += followed.length
      isMore = untold.length > 0
    })
  }
}
