import type { EndpointAnswer, EndpointInput } from '@atrium/contract/endpoint.ts'
import { maySellIn } from '@atrium/contract/locale.ts'
import { type listMyProducts, mostProducts } from '@atrium/contract/products.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { offeredRegions } from '../cloud/cloud.rules.ts'
import { accessNow } from '../subscriptions/subscriptions.rules.ts'
import { addressesIn } from './addresses.rules.ts'
import { blankTipOf, notBlank } from './blank-tip.rules.ts'
import { licensedOutright } from './own-licenses.queries.ts'
import { grouped, itemOfLicenses, itemOfSubscription } from './product-item.rules.ts'
import { productsOfMember } from './products.queries.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'clock'>
type Asked = EndpointInput<typeof listMyProducts>['query']

/** The products that a member owns or uses (001 §2, "My Products"): subscriptions, and licenses without one. */
export async function myProducts(
  { db, config, clock }: Needs,
  member: Member,
  { subscriptionType, lang }: Asked,
): Promise<EndpointAnswer<typeof listMyProducts>> {
  const access = accessNow({ config, clock })
  const isOffline = subscriptionType === '1'
  const [rows, licensed] = await Promise.all([
    productsOfMember(db, { member, access, isOffline, limit: mostProducts }),
    licensedOutright(db, { member, access }),
  ])
  const view = {
    now: access.now,
    maySell: maySellIn(lang),
    addresses: addressesIn(config, lang),
    hosts: config,
    hasCloud: offeredRegions(config).length > 0,
  }

  const subscribed = rows
    .filter((row) => row.isProduct && (row.origin === 'offline') === isOffline)
    .map((row) => ({ product: row.product, item: itemOfSubscription(row, view) }))
  const outright = licensed.map((row) => ({ product: row.product, item: itemOfLicenses(row, view) }))
  const placed = isOffline ? subscribed : [...subscribed, ...outright]

  const elsewhere = (rows[0]?.totalElsewhere ?? 0) + (isOffline ? outright.length : 0)
  return {
    list: grouped(placed),
    total: (rows[0]?.total ?? 0) + (isOffline ? 0 : outright.length),
    ...(placed.length + elsewhere > 0 ? notBlank : blankTipOf(rows, view)),
  }
}
