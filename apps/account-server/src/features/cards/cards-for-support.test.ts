import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { newWorld } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { storedCards } from './member-cards.ts'

test('an agent who looks at cards does not make Atrium forget a customer that the provider deleted', async () => {
  await using world = await newWorld()
  const { id } = await world.member()
  await world.db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: id, customerId: 'cus_deleted', createdAt: new Date() })
  const cards = {
    ...world.deps.cards,
    cards: async () => {
      throw new ProviderFailure('missing', new Error('no such customer'))
    },
    isCustomerDeleted: async () => true,
  }
  const deps = { ...world.deps, cards }

  await expect(storedCards(deps, { id, isSupport: true })).rejects.toMatchObject({ code: 'card_provider_unavailable' })
  expect(await world.db.$count(providerCustomers, eq(providerCustomers.isDeleted, true))).toBe(0)
  expect(await storedCards(deps, { id })).toMatchObject({ cards: [], defaultId: '' })
  expect(await world.db.$count(providerCustomers, eq(providerCustomers.isDeleted, true))).toBe(1)
})
