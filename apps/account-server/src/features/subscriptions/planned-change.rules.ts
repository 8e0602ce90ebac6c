import { createHash } from 'node:crypto'
import type { PlannedChange } from '@atrium/contract/planned-changes.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import type { KnownPrice } from './known-price.ts'
import { nextPlanOf } from './next-plan.rules.ts'
import { priceOfTerm } from './sold-quantity.rules.ts'
import type { NextPlan, SubscriptionRow } from './subscriptions.tables.ts'

interface Facts {
  /** By price id. */
  prices: ReadonlyMap<string, KnownPrice>
  /** The end of the period that has begun: what begins then is what renews. */
  periodEnd: Date
}

/** The first change that the card provider's schedule makes; null: nothing changes. */
export function planOfSchedule(
  { schedule, items }: Pick<BilledSubscription, 'schedule' | 'items'>,
  { prices, periodEnd }: Facts,
): NextPlan | null {
  const now = fingerprintOf(items)
  const next = schedule?.ahead.find((phase) => fingerprintOf(phase.items) !== now)
  const known = next?.items.map((item) => ({ ...item, known: prices.get(item.priceId) }))
  const main = known?.find((item) => item.known?.isConnector === false) ?? known?.[0]
  if (!next || !known || !main?.known) return null
  const { productCode, term, isStorage } = main.known
  const plan = {
    ...{ productCode, term },
    userCount: isStorage ? 1 : main.quantity,
    storageCapacity: isStorage ? main.quantity : 0,
    connectors: known.reduce((sum, item) => sum + (item !== main && item.known?.isConnector ? item.quantity : 0), 0),
    price: priceOfTerm(
      known.map((item) => ({ ...item, amount: item.known?.amount ?? null })),
      main.known,
    ),
    currency: items[0]?.currency ?? null,
  }
  const isRenewal = next.startsAt.getTime() === periodEnd.getTime()
  return { ...nextPlanOf(plan, 'certain'), ...(!isRenewal && { from: next.startsAt.toISOString() }) }
}

function fingerprintOf(items: readonly { priceId: string; quantity: number }[]): string {
  return items
    .map(({ priceId, quantity }) => `${priceId} ${quantity}`)
    .sort()
    .join()
}

type Planned = Pick<
  SubscriptionRow,
  'id' | 'channel' | 'nextPlan' | 'periodEnd' | 'productCode' | 'term' | 'userCount' | 'storageCapacity' | 'connectors'
>

/** Whether the card provider is to change it later, unless something else happens before. */
function hasPlan(row: Pick<Planned, 'channel' | 'nextPlan'>): boolean {
  return row.channel === 'card' && row.nextPlan !== null
}

/**
 * What is planned, for who is about to do what drops it; undefined: nothing is.
 * @param names of products, by code
 */
export function plannedChangeOf(
  row: Planned,
  names: Readonly<Record<string, string>> | null,
): PlannedChange | undefined {
  const { nextPlan: plan, periodEnd } = row
  if (!hasPlan(row) || !plan) return undefined
  const { productCode, userCount, storageCapacity, connectors, term } = plan
  const from = plan.from ?? periodEnd?.toISOString()
  if (from === undefined) return undefined
  const changed = {
    ...(storageCapacity === 0 && userCount !== row.userCount && { userCount }),
    ...(storageCapacity !== row.storageCapacity && storageCapacity > 0 && { storageCapacity }),
    ...(connectors !== row.connectors && { esignConnectors: connectors }),
    ...(term !== null && term !== row.term && { paidType: term }),
  }
  const isNamed = productCode !== row.productCode || Object.keys(changed).length === 0
  return { from, ...(isNamed && { appName: names?.[productCode] ?? productCode }), ...changed }
}

/** Names what would be dropped with these subscriptions, so that nothing else is; empty: nothing. */
export function plannedToken(rows: readonly Pick<Planned, 'id' | 'channel' | 'nextPlan' | 'periodEnd'>[]): string {
  const planned = rows.filter(hasPlan).map(({ id, nextPlan, periodEnd }) => ({ id, nextPlan, periodEnd }))
  if (planned.length === 0) return ''
  return createHash('sha256').update(JSON.stringify(planned)).digest('base64url')
}
