import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { vendorKey, vendorRights } from '../wire/vendor-key.ts'

const world = await ofFile(newCardsWorld())

test('the vendor’s restricted key has the rights of the operator’s page, and no others', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../../../docs/operations.md'), 'utf8')
  const [, section = ''] = page.split('### The restricted key')
  const [table = ''] = section.split(/^##/m)
  const rows = [...table.matchAll(/^\| (`.*) \| (read|write) \|$/gm)]
  const listed = rows.flatMap(([, names = '', verb]) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}:${verb}`),
  )
  expect(listed.toSorted()).toEqual([...vendorRights].toSorted())
})

test.each([
  ['POST', '/v1/customers', 200],
  ['GET', '/v1/coupons/nobody', 404],
  ['POST', '/v1/coupons', 403],
  ['GET', '/v1/webhook_endpoints', 403],
])('%s %s is answered with %i', async (method, path, status) => {
  const reply = await world.raw(method, path, '', { authorization: `Bearer ${vendorKey}` })
  expect(reply.status).toBe(status)
})
