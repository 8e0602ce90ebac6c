import { demoPassword } from './start/demo.ts'
import { loadEnvironmentFile, type Stack, startStack } from './start/stack.ts'
import { buildPages } from './start/web-build.ts'

const startedAt = performance.now()
const say = (sentence: string) => process.stdout.write(`${sentence}\n`)

const demoPeople = `
  Sign in as ada@folio.test, grace@folio.test, yuki@folio.test, noor@folio.test …
  Password   ${demoPassword}
`

let stack: Stack | undefined
let stopping = false

async function stop(exitCode: number): Promise<void> {
  if (stopping) return
  stopping = true
  // In the middle of a start the parts are not all there yet: it is seen to its end, and then stopped in order.
  if (!stack) return
  await stack.stop()
  process.exit(exitCode)
}

// A second Ctrl-C changes nothing: the first one is at work, in order.
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

try {
  loadEnvironmentFile()
  say('Atrium is starting…')
  stack = await startStack({ env: process.env, say, prepare: buildPages, onGivenUp: () => void stop(1) })
  if (stopping) {
    await stack.stop()
    process.exit(0)
  }
  const { config } = stack
  say(`
Atrium is ready (${((performance.now() - startedAt) / 1000).toFixed(1)} s)

  Account area   http://localhost:${config.ATRIUM_PORT}/account
  Single sign-on http://localhost:${config.ATRIUM_SSO_PORT}/cas/login
  Sandbox        http://localhost:${config.ATRIUM_SANDBOX_PORT}   (mail: /mail)
${stack.hasDemo ? demoPeople : ''}
  Ctrl-C stops everything.`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
