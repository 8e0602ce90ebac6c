import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from '../run-command.ts'
import { projectFolder } from './data-directory.ts'

/** Sources of every page, besides its own folder. */
const shared = ['packages/contract/src', 'packages/ui/src', 'packages/locales/src', 'package-lock.json']

const pages = [
  { app: 'apps/account-web', sources: ['apps/account-web'] },
  { app: 'apps/sso', sources: ['apps/sso/web', 'apps/sso/vite.config.ts'] },
  {
    app: 'apps/sandbox',
    sources: [
      'apps/sandbox/browser',
      'apps/sandbox/vite.config.ts',
      'apps/sandbox/src/features/cards/payment-methods/luhn.rules.ts',
    ],
  },
]

/** Builds the pages whose sources changed since the last build. @param apps only these, if given @returns their names */
export async function buildPages(signal?: AbortSignal, apps?: readonly string[]): Promise<string[]> {
  const wanted = pages.filter(({ app }) => apps === undefined || apps.includes(app))
  const built = await Promise.all(wanted.map((page) => buildPage(page, signal)))
  return built.flat()
}

async function buildPage({ app, sources }: (typeof pages)[number], signal?: AbortSignal): Promise<string[]> {
  const folder = join(projectFolder, app)
  const mark = join(folder, 'dist/built-from')
  const digest = await digestOf([...shared, ...sources])
  if ((await readFile(mark, 'utf8').catch(() => '')) === digest) return []

  const vite = join(projectFolder, 'node_modules/vite/bin/vite.js')
  const parameters = [vite, 'build', '--logLevel', 'warn']
  // A test run's NODE_ENV would make this a development build.
  const env = { ...process.env, NODE_ENV: 'production' }
  await runCommand(process.execPath, parameters, { cwd: folder, env, signal }).catch((error: Error) => {
    throw new Error(`${app} cannot be built.\n${error.message}`)
  })
  await writeFile(mark, digest)
  return [app]
}

async function digestOf(paths: readonly string[]): Promise<string> {
  const digest = createHash('sha256')
  for (const path of paths) {
    for (const file of await filesBelow(join(projectFolder, path))) digest.update(file).update(await readFile(file))
  }
  return digest.digest('hex')
}

async function filesBelow(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  const wanted = entries
    .filter(({ name }) => name !== 'node_modules' && name !== 'dist')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return (await Promise.all(wanted.map(({ name }) => filesBelow(join(path, name))))).flat()
}
