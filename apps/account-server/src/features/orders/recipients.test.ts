import { downloadInvoice } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { newOrder } from '../../test/orders.ts'
import { newWorld } from '../../test/world.ts'
import { addresses } from '../addresses/addresses.tables.ts'
import type { InvoiceDocument } from './invoice-pdf/invoice-document.ts'

/** A member with a default billing address, and the documents that are drawn for them. */
async function addressedWorld() {
  const drawn: InvoiceDocument[] = []
  const world = await newWorld({
    renderInvoice: async (document) => {
      drawn.push(document)
      return Buffer.from('%PDF')
    },
  })
  const member = await world.member({ company: 'Acme' })
  const place = { street: 'Kantstraße 24', city: 'Berlin', zip: '10623', state: 'BE', country: 'DE', isDefault: true }
  const named = { firstName: 'Ada', lastName: 'Lindqvist', contactEmail: 'billing@acme.test' }
  await world.db.insert(addresses).values({ memberId: member.id, ...place, ...named, createdAt: new Date() })

  return Object.assign(world, {
    member,
    async buyerOf({ orderNumber, invoiceNumber }: { orderNumber: string; invoiceNumber: string }) {
      const body = { orderNum: orderNumber, invoiceNum: invoiceNumber }
      expect((await world.as(member).send(downloadInvoice, { body })).status).toBe(200)
      return drawn.at(-1)?.buyer
    },
    order: (values: Parameters<typeof newOrder>[2]) => newOrder(world, member, values),
  })
}

test.each([
  ['a summary', {}],
  ['a pro forma', { status: 'OP', invoiceNumber: 'PF-1' }],
] as const)('%s of an order without a buyer is addressed to the default billing address', async (_name, values) => {
  await using world = await addressedWorld()
  expect(await world.buyerOf(await world.order(values))).toEqual({
    ...{ name: 'Ada Lindqvist', company: 'Acme', email: 'billing@acme.test' },
    ...{ address: ['Kantstraße 24', 'Berlin, 10623'], country: 'DE', taxIds: [], isReverseCharge: false },
  })
})

test('an order that came with its buyer keeps it, whatever the member’s address is now', async () => {
  await using world = await addressedWorld()
  const buyer = { name: 'Acme AB', company: '', email: '', address: ['Storgatan 1'], country: 'SE', taxIds: ['SE1'] }
  expect(await world.buyerOf(await world.order({ buyer }))).toEqual(buyer)
})
