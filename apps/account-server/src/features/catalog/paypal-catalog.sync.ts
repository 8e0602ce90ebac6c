import type { Db } from '@atrium/server-kit/database.ts'
import { paypalMoney } from '../../outside/paypal/money.rules.ts'
import type { Paypal } from '../../outside/paypal/paypal.ts'
import type { PaypalPlan } from '../../outside/paypal/plans.ts'
import { catalog } from './catalog.queries.ts'
import { intervals, lookupKeyOf, priceNamed, pricesToSell, upgradeFamilies } from './provider-prices.rules.ts'
import { replacePrices } from './provider-prices.writes.ts'

interface SyncDeps {
  db: Db
  paypal: Pick<Paypal, 'plans' | 'ensureProduct' | 'createPlan' | 'deactivatePlan'>
  /** Says what was done, or could not be matched. */
  say(sentence: string): void
}

type Product = Awaited<ReturnType<typeof catalog>>[number]
type SoldPrice = ReturnType<typeof pricesToSell>[number]

/**
 * Creates at PayPal a plan for each recurring price of the catalog that it lacks, and stores which plan is which. A prepaid term has
 * none: it is an order. It may be interrupted and run again: what is there already is found by the plan's description.
 * @returns how many plans were created, and how many active plans no price of the catalog matches
 */
export async function syncPaypalCatalog({ db, paypal, say }: SyncDeps) {
  const products = await catalog(db)
  const families = upgradeFamilies(products)
  const known = await paypal.plans()
  const ensured = new Set<string>()
  const created: PaypalPlan[] = []
  /** Ids of the plans at which something is sold. */
  const current = new Set<string>()
  const deactivate = async (plans: readonly PaypalPlan[]) => {
    for (const { id } of plans) await paypal.deactivatePlan(id)
  }

  for (const { product, price } of products.flatMap(recurringPrices)) {
    const lookupKey = lookupKeyOf(price)
    const money = paypalMoney(price.amount, price.currency)
    if (!money) {
      say(`${lookupKey}: PayPal does not take this amount or currency`)
      continue
    }
    const family = families.get(product.code) ?? product.code
    const productId = paypalProductId(family)
    const named = known.filter((plan) => plan.isActive && plan.lookupKey === lookupKey)
    const sold = named.find((plan) => plan.amount === price.amount && plan.productId === productId)
    // Also what an interrupted run left.
    const replaced = named.filter((plan) => plan !== sold)
    if (sold) {
      current.add(sold.id)
      await deactivate(replaced)
      continue
    }
    if (!ensured.has(productId)) await paypal.ensureProduct({ id: productId, name: nameOf(products, family) })
    ensured.add(productId)
    const interval = intervals[price.term] === 'year' ? 'YEAR' : 'MONTH'
    const wanted = { productId, name: product.name, lookupKey, price: money, interval, replaces: named[0]?.id } as const
    const plan = await paypal.createPlan(wanted)
    created.push(plan)
    current.add(plan.id)
    await deactivate(replaced)
    say(
      `${lookupKey}: ${named.length > 0 ? 'a new plan; the old one stays for those who pay it' : 'created'} at PayPal`,
    )
  }
  const plans = created.length === 0 ? known : await paypal.plans()
  return { plans: created.length, unknown: await storePlans({ db, say }, { plans, current, products }) }
}

function recurringPrices(product: Product): { product: Product; price: SoldPrice }[] {
  const sold = pricesToSell(product).filter(({ term }) => intervals[term] !== null)
  return sold.map((price) => ({ product, price }))
}

/** PayPal takes 6 to 50 letters, digits, `-` and `_`. */
function paypalProductId(code: string): string {
  return `ATRIUM-${code.replaceAll(/[^\w-]/g, '_')}`.slice(0, 50)
}

function nameOf(products: readonly Product[], code: string): string {
  return products.find((product) => product.code === code)?.name ?? code
}

interface Plans {
  plans: readonly PaypalPlan[]
  current: ReadonlySet<string>
  products: readonly Product[]
}

/** A plan keeps its meaning when the catalog has another price, or does not sell the term any more: people pay it. */
async function storePlans(
  { db, say }: Pick<SyncDeps, 'db' | 'say'>,
  { plans, current, products }: Plans,
): Promise<number> {
  const rows = plans.flatMap(({ id, productId, lookupKey, amount, currency }) => {
    const named = priceNamed(lookupKey, products)
    if (!named || currency === '') return []
    return [{ ...named, id, provider: 'paypal' as const, productId, amount, currency, isCurrent: current.has(id) }]
  })
  const matched = new Set(rows.map(({ id }) => id))
  const unknown = plans.filter(({ id, isActive }) => isActive && !matched.has(id))
  for (const { id, name } of unknown) say(`${id} (${name}): no product of the catalog is named in its description`)
  await db.transaction((tx) => replacePrices(tx, 'paypal', rows))
  return unknown.length
}
