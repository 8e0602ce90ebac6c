import { locales } from '@atrium/contract/locale.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { expect, test } from 'vitest'
import { newProduct, newSubscription } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'

const prefixes: Readonly<Record<string, string>> = {
  ...{ 'en-us': '', 'de-de': '/de', 'es-es': '/es', 'fr-fr': '/fr', 'it-it': '/it', 'nl-nl': '/nl', 'pt-br': '/pt' },
  // 001 §2: not prefixed.
  ...{ 'ja-jp': '', 'ru-ru': '', 'zh-tw': '' },
}

test('View Roadmap stands at the products that have one, prefixed except in three languages', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const editor = await newProduct(world, { flags: ['adminConsole', 'roadmap'] })
  const cloud = await newProduct(world, { flags: ['adminConsole'] })
  for (const { code } of [editor, cloud]) await newSubscription(world, member, { productCode: code })

  for (const { code: lang } of locales) {
    const { body } = await world.as(member).send(listMyProducts, { query: { lang } })
    const items = body.list.flatMap(({ subInfo }) => subInfo)
    const urls = Object.fromEntries(items.map(({ appCode, roadmapUrl }) => [appCode, roadmapUrl]))
    expect(urls, lang).toEqual({
      [editor.code]: `${prefixes[lang]}/account/roadmap.html`,
      [cloud.code]: '',
    })
  }
})
