import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { newPaypalWorld, newProduct } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v1/catalogs/products'

test('a product is created, and found', async () => {
  const body = { name: 'Editor', type: 'DIGITAL', category: 'SOFTWARE' }
  const created = await world.post(path, body)
  const found = await world.get(`${path}/${created.json.id}`)

  expect(created.status).toBe(201)
  expect(created.json.id).toMatch(/^PROD-\w{17}$/)
  expect(created.json).not.toHaveProperty('category')
  expect(found.json).toMatchObject({
    ...body,
    id: created.json.id,
    create_time: expect.stringMatching(/^2026-06-15T08/),
  })
})

test('the merchant can choose the id of a product, once', async () => {
  const first = await newProduct(world, { id: 'editor-family' })
  const second = await world.post(path, { id: 'editor-family', name: 'Again' })

  expect(first.id).toBe('editor-family')
  expect(second).toMatchObject({ status: 422, issues: ['DUPLICATE_RESOURCE_IDENTIFIER'] })
})

test.each([
  [{}, 'MISSING_REQUIRED_PARAMETER', '/name'],
  [{ name: '' }, 'INVALID_STRING_MIN_LENGTH', '/name'],
  [{ name: 'x'.repeat(128) }, 'INVALID_STRING_MAX_LENGTH', '/name'],
  [{ name: 5 }, 'INVALID_PARAMETER_SYNTAX', '/name'],
  [{ name: 'A', type: 'IDEA' }, 'INVALID_PARAMETER_VALUE', '/type'],
  [{ name: 'A', colour: 'red' }, 'INVALID_PARAMETER', '/colour'],
])('the product %j is refused with the issue and the field', async (body, issue, field) => {
  const reply = await world.post(path, body)

  expect(reply).toMatchObject({ status: 400, json: { name: 'INVALID_REQUEST', details: [{ issue, field }] } })
})

test('a body must be JSON, and say so', async () => {
  expect(await world.post(path, '{')).toMatchObject({ status: 400, issues: ['MALFORMED_REQUEST_JSON'] })
  expect(await world.post(path)).toMatchObject({ status: 400, issues: ['MISSING_REQUEST_BODY'] })
  expect(await world.post(path, 'name=A', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
    status: 415,
    json: { name: 'UNSUPPORTED_MEDIA_TYPE' },
  })
})

test('an unknown product is not found', async () => {
  for (const id of ['PROD-NONE', '%00', 'a%2Fb']) expect((await world.get(`${path}/${id}`)).status).toBe(404)
})
