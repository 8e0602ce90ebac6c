import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { CardFailure } from '../../outside/card-failure.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import { tellDefault } from '../addresses/addresses.writes.ts'
import { customerIdOf, customersAfter } from './payments.queries.ts'
import { providerCustomers } from './payments.tables.ts'

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
    await db
      .update(providerCustomers)
      .set({ addressPrint: written })
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.customerId, customerId)))
  }
}

/** So many an hour: the provider bounds its calls a second. */
const mostAtOnce = 2000

/**
 * Imports bring addresses and customers by the thousand, and tell nobody; and a call may have failed for good. What the
 * provider does not know is found by comparing, page by page: no statement may take long. A million customers take
 * about a minute.
 */
export async function tellUntoldAddresses(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { pageSize = 5000, most = mostAtOnce } = {},
): Promise<void> {
  let last: string | undefined
  let told = 0
  do {
    const page = await customersAfter(db, last, pageSize)
    const untold = page.filter(({ isUntold }) => isUntold).slice(0, most - told)
    await db.transaction(async (tx) => {
      for (const member of untold) await tellDefault(jobs, tx, member)
    })
    told += untold.length
    last = page.length === pageSize ? page.at(-1)?.id : undefined
  } while (last !== undefined && told < most)
}
