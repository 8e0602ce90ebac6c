import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { enqueueAddressSync } from '../../addresses/addresses.writes.ts'
import { operation } from '../operations/definition.ts'
import { operationsSince, unresolvedOf } from '../operations/operations.queries.ts'
import { runOperation } from '../operations/run-operation.ts'
import { mainCustomerId } from './customers.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { chooseMain, linkCustomers } from './customers.writes.ts'

const Input = z.object({ memberId: z.string(), email: z.string(), made: z.string().optional() })

/** A member's main customer at the card provider, created on first need. */
export const createCustomer = operation({
  kind: 'customer.create',
  provider: 'card',
  input: Input,
  // Without a customer nothing else was called, so the request may be repeated whatever the outcome.
  codes: { unavailable: 'card_provider_unavailable', unknown: 'card_provider_unavailable' },
  /** An earlier call may have created one, also for another address of the member: its answer was lost, or our row is gone. */
  async read({ db, cards }, { id: memberId, email }) {
    const earlier = await operationsSince(db, { id: memberId }, 'customer.create', new Date(0))
    for (const known of new Set([email, ...earlier.map(({ input }) => Input.parse(input).email)])) {
      // Erased since.
      if (known === '') continue
      const made = await cards.findCustomer({ memberId, email: known })
      if (made !== undefined) return made
    }
    return undefined
  },
  async decide(tx, { member: { id, email }, facts: made }) {
    // Under the member's lock: one that is linked beside the main one may have lost it.
    await chooseMain(tx, id)
    if (await mainCustomerId(tx, { id })) return { is: 'nothing_to_do' }
    const [unresolved] = await unresolvedOf(tx, { id }, { kinds: ['customer.create'] })
    if (unresolved) return { is: 'same', operationId: unresolved.id }
    return { is: 'new', subject: id, input: { memberId: id, email, ...(made && { made }) } }
  },
  async call({ cards }, { id: operationId, input: { memberId, email, made: madeBefore } }) {
    if (madeBefore) return madeBefore
    try {
      return await cards.createCustomer({ memberId, email, operationId })
    } catch (error) {
      if (!(error instanceof ProviderFailure && error.isStored)) throw error
      const made = await cards.findCustomer({ memberId, email })
      if (made !== undefined) return made
      // The provider replays a stored error for a day. If the customer does not exist, the next request uses a new key.
      throw new ProviderFailure('unavailable', error)
    }
  },
  find: ({ cards }, { input }) => cards.findCustomer(input),
  async apply(tx, { memberId }, { deps, found: customerId, now }) {
    await linkCustomers(tx, [{ customerId, memberId, proof: 'ours' }], now)
    // Syncs the billing address that the member has now.
    await enqueueAddressSync(deps.jobs, tx, { id: memberId })
    return { status: 'succeeded', objectId: customerId }
  },
  refuse: () => ({ status: 'failed' }),
})

/**
 * The member's main customer at the card provider; created if missing.
 * @throws Problem `card_provider_unavailable`
 */
export async function customerFor(deps: Deps, member: Member): Promise<string> {
  const known = await mainCustomerId(deps.db, member)
  if (known) return known
  await runOperation(deps, createCustomer, { member, asked: undefined })
  const made = await mainCustomerId(deps.db, member)
  if (!made) throw new Problem('card_provider_unavailable', { retryAfter: 5 })
  return made
}

/**
 * The provider does not know the customer. If the vendor deleted it there, our row says so, since what was bought there stays whose it
 * was; another proven customer of the member becomes the main one, or the next need creates one.
 * If our key belongs to another account, the row stays and an error is logged.
 * @returns whether it was deleted
 */
export async function forgetDeletedCustomer(
  { db, cards, logger }: Pick<Deps, 'db' | 'cards' | 'logger'>,
  customerId: string,
): Promise<boolean> {
  try {
    if (!(await cards.isCustomerDeleted(customerId))) return false
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    logger.error(
      { err: error, customerId },
      'the card provider does not know this customer: is the key of another account?',
    )
    return false
  }
  await db.transaction(async (tx) => {
    const isCustomer = eq(providerCustomers.customerId, customerId)
    const gone = { isDeleted: true, isMain: false }
    const [row] = await tx.update(providerCustomers).set(gone).where(isCustomer).returning()
    if (row) await chooseMain(tx, row.memberId)
  })
  return true
}
