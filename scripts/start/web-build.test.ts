import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { locales } from '@atrium/contract/locale.ts'
import { allTabs } from '@atrium/contract/tabs.ts'
import { beforeAll, expect, test } from 'vitest'
import { preloadsOf } from '../../apps/account-server/src/page/preloads.ts'
import { projectFolder } from './data-directory.ts'
import { buildPages } from './web-build.ts'

interface Chunk {
  file: string
  imports?: string[]
}

let manifest: Readonly<Record<string, Chunk>> = {}

beforeAll(async () => {
  await buildPages()
  manifest = JSON.parse(readFileSync(join(projectFolder, 'apps/account-web/dist/.vite/manifest.json'), 'utf8'))
})

/** The only chunk whose source path has this ending. */
function fileOf(ending: string): string {
  const found = Object.entries(manifest).filter(([source]) => source.endsWith(ending))
  expect(found.map(([source]) => source)).toHaveLength(1)
  return found[0]?.[1].file ?? ''
}

const screens = allTabs.filter(({ texts }) => texts.length > 0)

test.each(screens.flatMap((tab) => locales.map((locale) => ({ tab, locale, language: locale.code }))))(
  'the code and the texts of $tab.name are preloaded in $language',
  ({ tab, locale }) => {
    const links = preloadsOf(manifest, { tab, locale })
    const common = Object.entries(manifest).find(([source]) => source.startsWith(`_texts-${locale.folder}-`))

    expect(links).toContain(`/${fileOf(`/${tab.name}-screen.tsx`)}"`)
    for (const noun of tab.texts) expect(links).toContain(`/${fileOf(`/locales/src/${locale.folder}/${noun}.json`)}"`)
    expect(links).toContain(`/${common?.[1].file}"`)
  },
)

test('a tab that links to the support site has no code of its own', () => {
  const others = allTabs.filter(({ texts }) => texts.length === 0).map(({ name }) => name)

  expect(others).toEqual(['feedback', 'view-tickets'])
  for (const name of others) expect(Object.keys(manifest).join()).not.toContain(`${name}-screen`)
})
