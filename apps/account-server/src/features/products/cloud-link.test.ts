import { listMyProducts } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'

test('a cloud product opens in the data region where the vendor has a service, otherwise at its own address', async () => {
  await using world = await newWorld({
    settings: { LINK_HOSTS: 'app.example', CLOUD_URL_CA: 'https://ca.cloud.example' },
  })
  await using without = await newWorld({ settings: { LINK_HOSTS: 'app.example' } })
  const owner = await world.member()
  const { code } = await newProduct(world, { flags: ['cloud'], launchUrl: 'https://app.example/' })
  const plain = await newProduct(world, { launchUrl: 'https://app.example/' })
  for (const productCode of [code, plain.code]) await newSubscription(world, owner, { productCode })

  const links = async ({ as }: typeof world) => {
    const { body } = await as(owner).send(listMyProducts, { query: {} })
    const items = body.list.flatMap(({ subInfo }) => subInfo)
    return Object.fromEntries(items.map(({ appCode, productList: [link] }) => [appCode, [link?.type, link?.url]]))
  }

  const launch = ['launch', 'https://app.example/']
  expect(await links(world)).toEqual({ [code]: ['cloud', ''], [plain.code]: launch })
  expect(await links(without)).toEqual({ [code]: launch, [plain.code]: launch })
})
