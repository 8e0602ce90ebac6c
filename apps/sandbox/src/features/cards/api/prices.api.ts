import { eq, inArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import { currencyOf } from '../payment-intents/amounts.rules.ts'
import { newPrice } from '../prices/prices.rules.ts'
import { freeLookupKey, lockedPrice } from '../prices/prices.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { isField, isFieldTrue } from '../store/filters.ts'
import { find, listed, save } from '../store/store.ts'
import {
  boolean,
  createdRange,
  integer,
  list,
  mergedMetadata,
  metadata,
  oneOf,
  paging,
  text,
} from '../wire/parameters.rules.ts'
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

  api.serve({
    method: 'GET',
    path: '/prices/:id',
    takes: {},
    async run({ tx }, _given, { id }) {
      const found = await find(tx, 'price', id)
      if (!found) throw noSuch('price', id, { param: 'price', status: 404 })
      return found.object
    },
  })

  api.serve({
    method: 'POST',
    path: '/prices/:id',
    takes: details,
    run: (call, given, { id }) => updatePrice(call, id, given),
  })

  api.serve({
    method: 'GET',
    path: '/prices',
    takes: {
      ...paging,
      active: boolean().optional(),
      created: createdRange.optional(),
      currency: text(3).optional(),
      lookup_keys: list(text(200)).optional(),
      product: text().optional(),
      type: oneOf(['one_time', 'recurring']).optional(),
    },
    run: ({ tx }, { active, created, currency, lookup_keys: keys, product, type, ...page }) =>
      listed(tx, {
        kind: 'price',
        noun: 'price',
        url: '/v1/prices',
        page,
        created,
        where: [
          active === undefined ? undefined : isFieldTrue('active', active),
          currency === undefined ? undefined : isField('currency', currencyOf(currency)),
          keys && inArray(cardObjects.lookupKey, keys),
          product === undefined ? undefined : eq(cardObjects.product, product),
          type && isField('type', type),
        ],
      }),
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
    ...(given.active !== undefined && { active: given.active }),
    ...(given.lookup_key !== undefined && { lookup_key: given.lookup_key }),
    ...(given.nickname !== undefined && { nickname: given.nickname }),
    metadata: mergedMetadata(before.metadata, given.metadata),
    tax_behavior: taxed,
  }
  await save(call.tx, { kind: 'price', object, hidden: null })
  await emitChange(call, 'price.updated', { before, after: object })
  return object
}
