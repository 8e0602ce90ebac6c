import './environment-file.ts'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'vite'
import { projectFolder } from './start/data-directory.ts'
import { demoPassword } from './start/demo.ts'
import { startStack } from './start/stack.ts'
import { buildPages } from './start/web-build.ts'

/** `npm run dev`: the same stack; the account page hot-reloads, and changed programs are restarted. */
const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
const webPort = 5173

const vite = await createServer({
  root: join(projectFolder, 'apps/account-web'),
  // The page comes from account-server; only hot reload speaks to Vite directly.
  server: { port: webPort, strictPort: true, hmr: { clientPort: webPort }, cors: false },
})
await vite.listen()
const stack = await startStack({
  env: { ...process.env, WEB_DEV_URL: `http://localhost:${webPort}` },
  say,
  prepare: buildPages,
  onFailed: () => process.exit(1),
})

for (const [name, program] of Object.entries(stack.programs)) {
  onChange([`apps/${name}/src`, 'packages/contract/src', 'packages/server-kit/src', 'packages/locales/src'], () => {
    say(`${name} changed; restarting it.`)
    void program.restart()
  })
}
onChange(['apps/sso/web', 'packages/ui/src', 'packages/locales/src'], () => {
  void buildPages()
    .then(() => stack.programs.sso.restart())
    .catch((error: Error) => say(error.message))
})
// The sandbox reads the built files on every request, so it needs no restart.
onChange(['apps/sandbox/browser'], () => {
  void buildPages().catch((error: Error) => say(error.message))
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void Promise.all([vite.close(), stack.stop()]).then(() => process.exit(0)))
}
const demoPerson = stack.hasDemo ? ` (ada@folio.test, ${demoPassword})` : ''
say(`Ready: http://localhost:${stack.config.ATRIUM_PORT}/account${demoPerson}`)

/** Debounced: calls once for a burst of changes in some folders. */
function onChange(folders: readonly string[], call: () => void): void {
  let timer: NodeJS.Timeout | undefined
  for (const folder of folders) {
    watch(join(projectFolder, folder), { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(call, 150)
    })
  }
}
