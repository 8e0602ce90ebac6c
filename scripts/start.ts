import './environment-file.ts'
import { demoPassword } from './start/demo.ts'
import { runUntilEnded } from './start/run-until-ended.ts'
import { type Stack, startStack } from './start/stack.ts'
import { buildPages } from './start/web-build.ts'

const startedAt = performance.now()
const say = (sentence: string) => process.stdout.write(`${sentence}\n`)

const demoPeople = (account: string) => `
  Sign in as ada@folio.test, grace@folio.test, yuki@folio.test, noor@folio.test …
  Password   ${demoPassword}
  Support    ${account}/support as sam.support@folio.test; mina@folio.test lets support in
`

try {
  say('Atrium is starting…')
  const exitCode = await runUntilEnded(async (signal, end) => {
    const stack = await startStack({ env: process.env, say, prepare: buildPages, onFailed: () => end(1), signal })
    if (!signal.aborted) printReady(stack)
    return stack
  })
  process.exit(exitCode)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function printReady({ config, hasDemo }: Stack): void {
  say(`
Atrium is ready (${((performance.now() - startedAt) / 1000).toFixed(1)} s)

  Account area   http://localhost:${config.ATRIUM_PORT}/account
  Single sign-on http://localhost:${config.ATRIUM_SSO_PORT}/cas/login
  Sandbox        http://localhost:${config.ATRIUM_SANDBOX_PORT}   (mail: /mail)
${hasDemo ? demoPeople(`http://localhost:${config.ATRIUM_PORT}`) : ''}
  Ctrl-C stops everything.`)
}
