import { z } from 'zod'
import { emitEvent } from '../events/events.writes.ts'
import { find, findLocked, list, save } from '../store/store.ts'
import type { Product } from '../store/stored.ts'
import { type Api, noQuery } from '../wire/api.ts'
import type { Call } from '../wire/call.ts'
import { paging, patches, text, webAddress } from '../wire/fields.rules.ts'
import { newId, wireTime } from '../wire/ids.rules.ts'
import { patchedText, readPatches } from '../wire/patches.rules.ts'
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
  description: text(256).optional(),
  type: z.enum(['PHYSICAL', 'DIGITAL', 'SERVICE']).default('PHYSICAL'),
  category: text(256, 4)
    .regex(/^[A-Z_]+$/)
    .optional(),
  image_url: webAddress.optional(),
  home_url: webAddress.optional(),
})

const changeable = ['add', 'replace', 'remove'] as const

const patchable = [
  { path: '/description', operations: changeable, schema: text(256) },
  { path: '/category', operations: changeable, schema: text(256, 4).regex(/^[A-Z_]+$/) },
  { path: '/image_url', operations: changeable, schema: webAddress },
  { path: '/home_url', operations: changeable, schema: webAddress },
]

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
    path,
    query: z.object(paging),
    async run(call, { query: { page, page_size: pageSize, total_required: isCounted } }) {
      const { objects, total } = await list(call.tx, { kind: 'product', page, pageSize })
      const counts = { total_items: total, total_pages: Math.ceil(total / pageSize) }
      const products = objects.map((product) => shortProduct(call, product))
      const links = [
        { href: `${call.publicUrl}${path}?page_size=${pageSize}&page=${page}`, rel: 'self', method: 'GET' },
      ]
      return { ...(isCounted === 'true' && counts), products, links }
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

  api.change({
    method: 'PATCH',
    path: `${path}/:id`,
    body: patches,
    async run(call, { id, body }) {
      const product = await findLocked(call.tx, 'product', id)
      if (!product) throw notFound()
      const wanted = readPatches(body, patchable)
      const object = {
        ...product,
        description: patchedText(wanted, '/description', product.description),
        category: patchedText(wanted, '/category', product.category),
        imageUrl: patchedText(wanted, '/image_url', product.imageUrl),
        homeUrl: patchedText(wanted, '/home_url', product.homeUrl),
        updatedAt: call.now.toISOString(),
      }
      await save(call.tx, { kind: 'product', object })
      await productEvent(call, 'CATALOG.PRODUCT.UPDATED', object)
      return { status: 204 }
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
    description: body.description ?? null,
    type: body.type,
    category: body.category ?? null,
    imageUrl: body.image_url ?? null,
    homeUrl: body.home_url ?? null,
    createdAt: now,
    updatedAt: now,
  }
  await save(call.tx, { kind: 'product', object: product })
  await productEvent(call, 'CATALOG.PRODUCT.CREATED', product)
  return product
}

function productEvent(call: Call, type: string, product: Product) {
  return emitEvent(call, {
    type,
    resourceType: 'Catalog Product',
    resourceVersion: '1.0',
    summary: type === 'CATALOG.PRODUCT.CREATED' ? 'A product was created' : 'A product was updated',
    resource: wireProduct(call, product),
  })
}

function shortProduct(call: Call, product: Product) {
  return {
    id: product.id,
    name: product.name,
    ...(product.description !== null && { description: product.description }),
    create_time: wireTime(product.createdAt),
    links: linksOf(call, product),
  }
}

function wireProduct(call: Call, product: Product) {
  return {
    id: product.id,
    name: product.name,
    ...(product.description !== null && { description: product.description }),
    type: product.type,
    ...(product.category !== null && { category: product.category }),
    ...(product.imageUrl !== null && { image_url: product.imageUrl }),
    ...(product.homeUrl !== null && { home_url: product.homeUrl }),
    create_time: wireTime(product.createdAt),
    update_time: wireTime(product.updatedAt),
    links: linksOf(call, product),
  }
}

function linksOf({ publicUrl }: Call, { id }: Product) {
  const href = `${publicUrl}${path}/${id}`
  return [
    { href, rel: 'self', method: 'GET' },
    { href, rel: 'edit', method: 'PATCH' },
  ]
}
