import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { refusedField } from '@atrium/server-kit/problem.ts'
import { eq, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { defaultAddressOf } from '../addresses/addresses.queries.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { importedCoupon, usesOf } from './coupons.queries.ts'
import { type Coupon, type CouponFault, type CouponPurchase, couponFault } from './coupons.rules.ts'

interface Wanted {
  code: string
  purchase: Omit<CouponPurchase, 'country'>
  /** The subscription that it is used for. */
  subject: string
  /** The field of the body that names the coupon. */
  field: string
}

/**
 * A coupon that the customer can use for a purchase: an imported one, or one of the card provider.
 * @throws Problem `invalid` that says at the field why it cannot be used; `ProviderFailure`
 */
export async function usableCoupon(deps: Deps, member: Member, wanted: Wanted): Promise<Coupon> {
  const coupon = await findCoupon(deps, wanted.code)
  if (!coupon) throw refusedCoupon(wanted, 'coupon_unknown')
  await expectUsable(deps.db, deps, member, { ...wanted, coupon })
  return coupon
}

/**
 * The same again under a lock, before it is used: of two that use it for the last time, one does.
 * @param coupon as it was a moment ago, outside the transaction; undefined: there was none
 * @throws Problem as `usableCoupon`
 */
export async function lockCoupon(
  tx: Tx,
  deps: Deps,
  member: Member,
  { coupon, ...wanted }: Wanted & { coupon: Coupon | undefined },
): Promise<void> {
  if (!coupon) throw refusedCoupon(wanted, 'coupon_unknown')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${coupon.code}`}, 0))`)
  const imported = await importedCoupon(tx, coupon.code)
  await expectUsable(tx, deps, member, { ...wanted, coupon: imported ? { ...imported, usesElsewhere: 0 } : coupon })
}

async function expectUsable(
  db: Reader,
  { clock }: Deps,
  member: Member,
  { coupon, purchase, subject, field }: Wanted & { coupon: Coupon },
): Promise<void> {
  const [uses, home] = await Promise.all([
    usesOf(db, { member, code: coupon.code, subject }),
    defaultAddressOf(db, member),
  ])
  const country = home?.address.country ?? ''
  const fault = couponFault(coupon, { purchase: { ...purchase, country }, uses, now: clock() })
  if (fault) throw refusedCoupon({ field }, fault)
}

function refusedCoupon({ field }: Pick<Wanted, 'field'>, fault: CouponFault) {
  return refusedField(field, fault)
}

/** An imported coupon, or one of the card provider; undefined: neither. @throws ProviderFailure */
export async function findCoupon({ db, cards }: Deps, typed: string): Promise<Coupon | undefined> {
  const imported = await importedCoupon(db, typed.toUpperCase())
  if (imported) return { ...imported, usesElsewhere: 0 }
  // The provider's ids are exact; what a vendor prints is mostly in capitals.
  const found = (await cards.readCoupon(typed)) ?? (await inCapitals(cards, typed))
  if (!found) return undefined
  const { productIds, ...coupon } = found
  const products = productIds.length === 0 ? [] : await codesOf(db, productIds)
  return { ...coupon, products, terms: [], countries: [], validFrom: null, maxUsesPerCustomer: null }
}

function inCapitals(cards: Deps['cards'], typed: string) {
  const capitals = typed.toUpperCase()
  return capitals === typed ? undefined : cards.readCoupon(capitals)
}

/** The catalog's products of the provider's: a coupon for others is for none of ours. */
async function codesOf(db: Reader, productIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: providerPrices.productId, code: providerPrices.productCode })
    .from(providerPrices)
    .where(eq(providerPrices.provider, 'card'))
  const codes = rows.filter(({ id }) => productIds.includes(id)).map(({ code }) => code)
  return codes.length > 0 ? codes : ['']
}
