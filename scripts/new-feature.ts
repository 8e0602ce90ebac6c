import { access, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { locales } from '@atrium/contract/locale.ts'
import { projectFolder } from './start/data-directory.ts'

/** `npm run new-feature -- noun`: creates the empty files of a noun in every package and app. */
const [noun = ''] = process.argv.slice(2)
if (!/^[a-z]+(-[a-z]+)*$/.test(noun)) {
  process.stderr.write(
    'Usage: npm run new-feature -- noun   (kebab-case, plural where there are many: billing-addresses)\n',
  )
  process.exit(2)
}

const pascal = noun.replaceAll(/(^|-)([a-z])/g, (_match, _dash, letter: string) => letter.toUpperCase())
const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)

const files: Readonly<Record<string, string>> = {
  [`packages/contract/src/${noun}.ts`]: `import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const read${pascal} = endpoint({
  method: 'GET',
  path: '/account/${noun}/',
  summary: '${pascal}',
  reply: z.object({}),
})
`,
  [`apps/account-server/src/features/${noun}/${noun}.routes.ts`]: `import * as contract from '@atrium/contract/${noun}.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'

export function ${camel}Routes(app: FastifyInstance, _deps: Deps) {
  serve(app, contract.read${pascal}, () => ({}))
}
`,
  [`apps/account-server/src/features/${noun}/${noun}.test.ts`]: `import { read${pascal} } from '@atrium/contract/${noun}.ts'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'

test('it cannot be read without a session', async () => {
  await using world = await newWorld()
  expect((await world.visitor.send(read${pascal}, {})).status).toBe(401)
})
`,
  [`apps/account-web/src/features/${noun}/${noun}.data.ts`]: `import { read${pascal} } from '@atrium/contract/${noun}.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

export const ${camel}Query = () => queryOptions({ queryKey: ['${noun}'], queryFn: () => call(read${pascal}, {}) })
`,
  ...Object.fromEntries(locales.map(({ folder }) => [`packages/locales/src/${folder}/${noun}.json`, '{}\n'])),
}

for (const path of Object.keys(files)) {
  const exists = await access(join(projectFolder, path)).then(
    () => true,
    () => false,
  )
  if (exists) {
    process.stderr.write(`${path} already exists; nothing was written.\n`)
    process.exit(1)
  }
}
for (const [path, content] of Object.entries(files)) {
  await mkdir(dirname(join(projectFolder, path)), { recursive: true })
  await writeFile(join(projectFolder, path), content)
  process.stdout.write(`${path}\n`)
}
process.stdout.write(`
Next: mount ${camel}Routes in apps/account-server/src/app.ts, its tables in src/db/schema.ts,
its tab in packages/contract/src/tabs.ts and its screen in apps/account-web/src/tabs.ts, its level in the boundaries of scripts/check, its journey in e2e/.
`)
