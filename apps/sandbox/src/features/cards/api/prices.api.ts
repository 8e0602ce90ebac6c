import { inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { newPrice } from '../prices/prices.rules.ts'
import { freeLookupKey, lockedPrice } from '../prices/prices.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byActive, byColumn, byCreated, isField } from '../store/filters.ts'
import { find, save } from '../store/store.ts'
import { showInItems } from '../subscriptions/items-of-price.ts'
import { boolean, integer, list, mergedMetadata, metadata, oneOf, present, text } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const intervals = ['day', 'week', 'month', 'year'] as const

/** A period is at most three years. */
const longest: Readonly<Record<(typeof intervals)[number], number>> = { day: 1095, week: 156, month: 36, year: 3 }

const details = {
  active: boolean().optional(),
  lookup_key: text(200).optional(),
  metadata: metadata.optional(),
  nickname: text().optional(),
  tax_behavior: oneOf(['exclusive', 'inclusive', 'unspecified']).optional(),
  transfer_lookup_key: boolean().default(false),
}

const recurring = z.strictObject({
  interval: oneOf(intervals),
  interval_count: integer({ least: 1 }).default(1),
  usage_type: oneOf(['licensed']).default('licensed'),
})

const made = {
  ...details,
  billing_scheme: oneOf(['per_unit']).optional(),
  currency: text(3),
  product: text(),
  recurring: recurring.optional(),
  unit_amount: integer({ most: 99_999_999 }),
}

export function pricesApi(api: Api): void {
  api.serve({ method: 'POST', path: '/prices', takes: made, run: createPrice })
  api.change('/prices/:id', details, updatePrice)

  serveResource(api, {
    kind: 'price',
    path: '/prices',
    param: 'price',
    filters: {
      active: byActive,
      created: byCreated,
      currency: text(3)
        .transform((currency) => isField('currency', currencyOf(currency)))
        .optional(),
      lookup_keys: list(text(200))
        .transform((keys) => inArray(cardObjects.lookupKey, keys))
        .optional(),
      product: byColumn(cardObjects.product),
      type: oneOf(['one_time', 'recurring'])
        .transform((type) => isField('type', type))
        .optional(),
    },
  })
}

async function createPrice(call: Call, given: z.output<z.ZodObject<typeof made>>): Promise<Stripe.Price> {
  const product = await find(call.tx, 'product', given.product)
  if (!product) throw noSuch('product', given.product, { param: 'product' })
  const { recurring: every } = given
  if (every && every.interval_count > longest[every.interval]) {
    throw invalidRequest('The maximum interval is three years.', { param: 'recurring[interval_count]' })
  }
  const object: Stripe.Price = {
    ...newPrice(call, { ...given, recurring: every ?? null }),
    active: given.active ?? true,
    lookup_key: given.lookup_key ?? null,
    metadata: mergedMetadata({}, given.metadata),
    nickname: given.nickname ?? null,
  }
  if (given.lookup_key !== undefined) await freeLookupKey(call, given.lookup_key, given.transfer_lookup_key)
  await save(call.tx, { kind: 'price', object, hidden: null })
  await emitEvent(call, { type: 'price.created', object })
  return object
}

async function updatePrice(
  call: Call,
  id: string,
  given: z.output<z.ZodObject<typeof details>>,
): Promise<Stripe.Price> {
  const before = await lockedPrice(call, id)
  const { tax_behavior: taxed = before.tax_behavior } = given
  if (before.tax_behavior !== 'unspecified' && taxed !== before.tax_behavior) {
    throw invalidRequest('You cannot change `tax_behavior` once it is set to `exclusive` or `inclusive`.', {
      param: 'tax_behavior',
    })
  }
  if (given.lookup_key !== undefined && given.lookup_key !== before.lookup_key) {
    await freeLookupKey(call, given.lookup_key, given.transfer_lookup_key)
  }
  const object: Stripe.Price = {
    ...before,
    ...present({ active: given.active, lookup_key: given.lookup_key, nickname: given.nickname }),
    metadata: mergedMetadata(before.metadata, given.metadata),
    tax_behavior: taxed,
  }
  await save(call.tx, { kind: 'price', object, hidden: null })
  if (object.active !== before.active) await showInItems(call, object)
  await emitChange(call, 'price.updated', { before, after: object })
  return object
}
