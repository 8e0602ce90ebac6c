import type { LocaleCode } from '@atrium/contract/locale.ts'
import { providerPrices } from '../features/catalog/provider-prices.tables.ts'
import { providerCustomers } from '../features/payments/customers/customers.tables.ts'
import { syncSubscription } from '../features/subscriptions/subscriptions.sync.ts'
import type { BilledSubscription } from '../outside/card-provider/subscriptions.ts'
import { newProduct } from './factories.ts'
import { newWorld, type WorldOptions } from './world.ts'

const now = '2026-06-01T00:00:00.000Z'

/** Some days after it was bought. */
export const at = (day: number) => new Date(Date.parse(now) + day * 86_400_000)

interface Buyer extends Pick<WorldOptions, 'settings'> {
  locale?: LocaleCode
  currency?: string
}

let number = 0

/** A world whose card provider has one subscription of a member's customer, in a state that the test sets. */
export async function billedWorld({ locale = 'en-us', currency = 'USD', ...options }: Buyer = {}) {
  const world = await newWorld({ now, ...options })
  const { db, cards } = world.deps
  const member = await world.member({ locale })
  number += 1
  const [id, customerId, priceId] = [`sub_${number}`, `cus_${number}`, `price_${number}`]
  await db
    .insert(providerCustomers)
    .values({ proof: 'ours', isMain: true, memberId: member.id, customerId, createdAt: at(0) })
  const { code: productCode } = await newProduct(world, { name: 'Folio PDF Editor+' })
  const price = { provider: 'card', productId: 'prod_1', productCode, currency, isCurrent: true } as const
  await db.insert(providerPrices).values({ ...price, id: priceId, term: 'monthly', amount: 1000 })
  const item = {
    id: 'si_1',
    ...{ priceId, lookupKey: '', productId: 'prod_1', quantity: 2, amount: 1000, currency },
    ...{ periodStart: at(0), periodEnd: at(30) },
  }
  const claim = { memberId: '', reference: '', createdAt: new Date(0) }
  const billed: BilledSubscription = {
    ...{ id, customerId, status: 'active', createdAt: at(0), items: [item], metadata: {}, claim, ownCard: '' },
    ...{ cancelAt: null, trialEnd: null, endedAt: null, isRenewing: false, pendingChange: null, openInvoice: null },
    schedule: null,
  }
  const provider = { has: billed }
  cards.readSubscription = async () => provider.has
  cards.readCustomer = async () => undefined
  return {
    ...world,
    ...{ member, id, item, billed, provider, productCode },
    sync: () => syncSubscription(world.deps, id),
  }
}
