import type Stripe from 'stripe'
import type { z } from 'zod'
import { emitChange, emitEvent } from '../events/events.writes.ts'
import { taxCode } from '../prices/prices.parameters.ts'
import { pricesOf } from '../products/products.queries.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveResource } from '../requests/resource.ts'
import { byActive, byCreated } from '../store/filters.ts'
import { find, findLocked, markDeleted, save } from '../store/store.ts'
import type { StoredOf } from '../store/stored.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import { boolean, mergedMetadata, metadata, objectId, present, text, unsettable } from '../wire/parameters.rules.ts'
import { invalidRequest, noSuch } from '../wire/refusal.ts'

const details = {
  active: boolean().optional(),
  description: unsettable(text()).optional(),
  metadata: metadata.optional(),
  tax_code: unsettable(taxCode).optional(),
}

const made = { ...details, name: text(), id: objectId().optional() }

export function productsApi(api: Api): void {
  api.serve({ method: 'POST', path: '/products', takes: made, run: createProduct })
  api.change('/products/:id', { ...details, name: text().optional() }, updateProduct)

  serveResource(api, {
    kind: 'product',
    path: '/products',
    filters: { active: byActive, created: byCreated },
    remove: deleteProduct,
  })
}

async function createProduct(call: Call, given: z.output<z.ZodObject<typeof made>>): Promise<Stripe.Product> {
  const id = given.id ?? newId('prod_')
  if (await find(call.tx, 'product', id)) {
    throw invalidRequest('Product already exists.', { code: 'resource_already_exists', param: 'id' })
  }
  const now = epochSeconds(call.now)
  const empty: Stripe.Product = {
    id,
    object: 'product',
    active: true,
    created: now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: given.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: now,
    url: null,
  }
  const object = changedProduct(empty, given, now)
  await save(call.tx, { kind: 'product', object, hidden: null })
  await emitEvent(call, { type: 'product.created', object })
  return object
}

async function updateProduct(call: Call, id: string, given: Change): Promise<Stripe.Product> {
  const before = (await lockedProduct(call, id)).object
  const object = changedProduct(before, given, epochSeconds(call.now))
  await save(call.tx, { kind: 'product', object, hidden: null })
  await emitChange(call, 'product.updated', { before, after: object })
  return object
}

/** Only a product without prices can be deleted; others are made inactive. */
async function deleteProduct(call: Call, id: string): Promise<void> {
  const { object } = await lockedProduct(call, id)
  if ((await pricesOf(call.tx, id)) > 0) {
    throw invalidRequest('This product cannot be deleted because it has one or more user-created prices.')
  }
  await markDeleted(call.tx, id)
  await emitEvent(call, { type: 'product.deleted', object })
}

async function lockedProduct(call: Call, id: string): Promise<StoredOf<'product'>> {
  const found = await findLocked(call.tx, 'product', id)
  if (!found) throw noSuch('product', id, { status: 404 })
  return found
}

type Change = z.output<z.ZodObject<typeof details>> & { name?: string | undefined }

function changedProduct(before: Stripe.Product, { metadata: given, ...fields }: Change, now: number): Stripe.Product {
  const metadata = mergedMetadata(before.metadata, given)
  return { ...before, ...present(fields), metadata, updated: now }
}
