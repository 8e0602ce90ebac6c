import { z } from 'zod'
import { emitEvent } from '../events/events.writes.ts'
import { find, save } from '../store/store.ts'
import type { Product } from '../store/stored.ts'
import { type Api, noQuery } from '../wire/api.ts'
import type { Call, Reading } from '../wire/call.ts'
import { text } from '../wire/fields.rules.ts'
import { newId, wireTime } from '../wire/ids.rules.ts'
import { impossible, notFound } from '../wire/refusal.ts'

const path = '/v1/catalogs/products'

const NewProduct = z.strictObject({
  id: z
    .string()
    .min(6)
    .max(50)
    .regex(/^[\w-]+$/)
    .optional(),
  name: text(127),
  type: z.enum(['PHYSICAL', 'DIGITAL', 'SERVICE']).default('PHYSICAL'),
  category: text(256, 4)
    .regex(/^[A-Z_]+$/)
    .optional(),
})

/** Catalog products, version 1. */
export function productsApi(api: Api): void {
  api.change({
    method: 'POST',
    path,
    body: NewProduct,
    remembers: 72,
    async run(call, { body, isWhole }) {
      const product = await createProduct(call, body)
      return { status: 201, body: isWhole ? wireProduct(call, product) : shortProduct(call, product) }
    },
  })

  api.get({
    path: `${path}/:id`,
    query: noQuery,
    async run(call, { id }) {
      const product = await find(call.tx, 'product', id)
      if (!product) throw notFound()
      return wireProduct(call, product)
    },
  })
}

async function createProduct(call: Call, body: z.output<typeof NewProduct>): Promise<Product> {
  if (body.id !== undefined && (await find(call.tx, 'product', body.id))) {
    throw impossible('DUPLICATE_RESOURCE_IDENTIFIER', 'A product with this id exists already.', '/id')
  }
  const now = call.now.toISOString()
  const product: Product = {
    id: body.id ?? newId.product(),
    name: body.name,
    type: body.type,
    category: body.category ?? null,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'product', object: product })
  await emitEvent(call, {
    type: 'CATALOG.PRODUCT.CREATED',
    resourceType: 'Catalog Product',
    resourceVersion: '1.0',
    summary: 'A product was created',
    resource: wireProduct(call, product),
  })
  return product
}

function shortProduct(call: Reading, product: Product) {
  return {
    id: product.id,
    name: product.name,
    create_time: wireTime(product.createdAt),
    links: linksOf(call, product),
  }
}

function wireProduct(call: Reading, product: Product) {
  return {
    id: product.id,
    name: product.name,
    type: product.type,
    ...(product.category !== null && { category: product.category }),
    create_time: wireTime(product.createdAt),
    update_time: wireTime(product.updatedAt),
    links: linksOf(call, product),
  }
}

function linksOf({ publicUrl }: Reading, { id }: Product) {
  const href = `${publicUrl}${path}/${id}`
  return [
    { href, rel: 'self', method: 'GET' },
    { href, rel: 'edit', method: 'PATCH' },
  ]
}
