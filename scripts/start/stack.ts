import { join } from 'node:path'
import { refuseUnreadableCertificates } from '@atrium/server-kit/extra-certificates.ts'
import { cardProviderStandIn } from './card-provider.ts'
import { dataDirectory, lockDirectory, projectFolder } from './data-directory.ts'
import { embeddedDatabase, ownDatabase } from './database.ts'
import { loadDemoVendor } from './demo.ts'
import { paypalStandIn } from './paypal.ts'
import { refuseTakenPorts } from './ports.ts'
import { type Program, superviseProgram } from './programs.ts'
import { programEnvironment, readStartConfig, type StartConfig } from './settings.ts'

export interface Stack {
  config: StartConfig
  databaseUrl: string
  /** The environment of the programs. */
  environment: NodeJS.ProcessEnv
  programs: Readonly<Record<'sandbox' | 'sso' | 'account-server', Program>>
  /** Whether the demo vendor is loaded. */
  hasDemo: boolean
  stop(): Promise<void>
}

interface StackOptions {
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  /** Builds the pages, before the programs start. */
  prepare(signal: AbortSignal): Promise<unknown>
  /** Called when a program exits too often to be restarted again. */
  onFailed(): void
  /** Aborts the start, which rejects once everything it started has stopped. */
  signal?: AbortSignal
}

/** Starts the database and the three programs, and loads the demo vendor into an empty database. Failed, it leaves nothing behind. */
export async function startStack({ env, say, prepare, onFailed, signal }: StackOptions): Promise<Stack> {
  const config = readStartConfig(env)
  refuseUnreadableCertificates(env)
  const failure = new AbortController()
  const interruption = AbortSignal.any([failure.signal, ...(signal ? [signal] : [])])
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }

  try {
    const directory = await dataDirectory(config.ATRIUM_DATA_DIR)
    undo.push(await lockDirectory(directory))
    await refuseOurTakenPorts(config)

    const starting = config.DATABASE_URL
      ? ownDatabase(config.DATABASE_URL)
      : embeddedDatabase(directory, say, interruption)
    undo.push(async () => (await starting.catch(() => undefined))?.stop())
    const preparing = prepare(interruption)
    undo.push(() => preparing.catch(() => undefined))
    const [database] = await Promise.all([starting, preparing])
    interruption.throwIfAborted()

    const environment = programEnvironment(config, database.url, env)
    const programs = runPrograms({ environment, say, onFailed })
    undo.push(() => Promise.all(Object.values(programs).map((program) => program.stop())))
    const ready = Promise.all(Object.values(programs).map((program) => program.ready))
    await Promise.race([ready, aborted(interruption)])

    const cards = cardProviderStandIn(config, environment)
    const paypal = paypalStandIn(config, environment)
    const hasDemo = await loadDemoVendor({
      directory,
      databaseUrl: database.url,
      isOwnDatabase: config.DATABASE_URL !== undefined,
      // With a real PayPal nothing is sold: it must not get the demo's catalog.
      providers: paypal || environment.PAYPAL === 'none' ? cards : undefined,
      env: environment,
      say,
      signal: interruption,
    })
    // What the demo's cast bought is taken over, and told nobody.
    await Promise.all([cards?.subscribe(), paypal?.subscribe()])
    return { config, databaseUrl: database.url, environment, programs, hasDemo, stop }
  } catch (error) {
    failure.abort(error)
    await stop()
    throw error
  }
}

function refuseOurTakenPorts(config: StartConfig): Promise<void> {
  const settings = ['ATRIUM_PORT', 'ATRIUM_SSO_PORT', 'ATRIUM_SANDBOX_PORT', 'SANDBOX_SMTP_PORT'] as const
  return refuseTakenPorts(settings.map((setting) => ({ port: config[setting], setting })))
}

type ProgramsOptions = Pick<StackOptions, 'say' | 'onFailed'> & { environment: NodeJS.ProcessEnv }

function runPrograms({ environment, say, onFailed }: ProgramsOptions): Stack['programs'] {
  const run = (name: keyof Stack['programs']) =>
    superviseProgram({
      name,
      script: join(projectFolder, 'apps', name, 'src/main.ts'),
      env: environment,
      say,
      onFailed,
    })
  return { sandbox: run('sandbox'), sso: run('sso'), 'account-server': run('account-server') }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
