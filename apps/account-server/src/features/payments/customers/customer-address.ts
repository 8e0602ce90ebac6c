import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { defaultAddressOf } from '../../addresses/addresses.queries.ts'
import { enqueueAddressSync } from '../../addresses/addresses.writes.ts'
import { forgetDeletedCustomer } from './create-customer.ts'
import { customersAfter, customersOfMember } from './customers.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { isWhollyProven } from './link-proofs.rules.ts'

/**
 * Writes the default billing address to the member's customers at the provider, for tax and receipts; not to one that is known by an
 * address alone, or by one purchase there: it may be somebody else's. Reads the address again afterwards: of two concurrent writers, the one with the older
 * address writes again.
 */
export async function writeCustomerAddress(
  deps: Pick<Deps, 'db' | 'cards' | 'logger'>,
  memberId: string,
): Promise<void> {
  for (const link of await customersOfMember(deps.db, { id: memberId })) {
    if (isWhollyProven(link)) await writeAddressOf(deps, { memberId, customerId: link.customerId })
  }
}

interface OfMember {
  memberId: string
  customerId: string
}

async function writeAddressOf(
  deps: Pick<Deps, 'db' | 'cards' | 'logger'>,
  { memberId, customerId }: OfMember,
): Promise<void> {
  const { db } = deps
  let written = ''
  for (;;) {
    const wanted = await defaultAddressOf(db, { id: memberId })
    if (!wanted || wanted.fingerprint === written) return
    const { firstName, lastName, street, city, state, zip, country } = wanted.address
    const billing = {
      name: `${firstName} ${lastName}`.trim(),
      address: { line1: street, city, state, postal_code: zip, country },
    }
    if (!(await isTaken(deps, customerId, billing))) return
    written = wanted.fingerprint
    await db
      .update(providerCustomers)
      .set({ addressFingerprint: written })
      .where(and(eq(providerCustomers.memberId, memberId), eq(providerCustomers.customerId, customerId)))
  }
}

/**
 * Whether this address is done: the provider has it, or refuses it for good.
 * @returns false for an unknown customer; if the vendor deleted it, the next one is created with the address
 */
async function isTaken(
  { db, cards, logger }: Pick<Deps, 'db' | 'cards' | 'logger'>,
  customerId: string,
  billing: Parameters<CardProvider['updateCustomer']>[1],
): Promise<boolean> {
  try {
    await cards.updateCustomer(customerId, billing)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    if (error.kind === 'missing') {
      await forgetDeletedCustomer({ db, cards, logger }, customerId)
      return false
    }
    if (error.kind !== 'invalid') throw error
    logger.warn({ err: error, customerId }, 'the card provider refuses the billing address of this customer')
  }
  return true
}

/** Customers per hour, since the provider limits the call rate. */
const mostAnHour = 2000

/**
 * Imports write addresses and customers in bulk without a job each, and a sync may have failed for good. Compares page by page,
 * so that no statement runs long; a million customers take about a minute.
 */
export async function enqueueStaleAddresses(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  { pageSize = 5000, most = mostAnHour } = {},
): Promise<void> {
  // Each round starts elsewhere, so that customers whose sync keeps failing do not use up the limit before the others.
  const start = randomUUID()
  let left = most
  for (const [first, end] of [
    [start, undefined],
    [undefined, start],
  ]) {
    let last: string | undefined = first
    for (let isMore = true; isMore && left > 0; ) {
      const page = await customersAfter(db, { last, end, limit: pageSize })
      const stale = page.filter(({ isStale }) => isStale).slice(0, left)
      await db.transaction(async (tx) => {
        for (const member of stale) await enqueueAddressSync(jobs, tx, member)
      })
      left -= stale.length
      last = page.at(-1)?.id
      isMore = page.length === pageSize
    }
  }
}
