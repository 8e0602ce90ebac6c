import { join } from 'node:path'
import { refuseUnreadableCertificates } from '@atrium/server-kit/extra-certificates.ts'
import { cardProviderStandIn } from './card-provider.ts'
import { dataDirectory, holdDirectory, projectFolder } from './data-directory.ts'
import { embeddedDatabase, ownDatabase } from './database.ts'
import { loadDemoVendor } from './demo.ts'
import { refuseTakenPorts } from './ports.ts'
import { type Program, runProgramBeside } from './programs.ts'
import { programEnvironment, readStartConfig, type StartConfig } from './settings.ts'

export interface Stack {
  config: StartConfig
  databaseUrl: string
  /** What the programs were given. */
  environment: NodeJS.ProcessEnv
  programs: Readonly<Record<'sandbox' | 'sso' | 'account-server', Program>>
  /** Whether the demo vendor's people are there to sign in as. */
  hasDemo: boolean
  stop(): Promise<void>
}

interface StackOptions {
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  /** What must be there before the programs start: the built pages. */
  prepare(signal: AbortSignal): Promise<unknown>
  onGivenUp(): void
  /** Interrupts the start: it rejects once everything that it began has ended. */
  signal?: AbortSignal
}

/** Brings up the database and the three programs, with the demo vendor in an empty one; or leaves nothing behind. */
export async function startStack({ env, say, prepare, onGivenUp, signal }: StackOptions): Promise<Stack> {
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
    undo.push(await holdDirectory(directory))
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
    const programs = runPrograms({ environment, say, onGivenUp })
    undo.push(() => Promise.all(Object.values(programs).map((program) => program.stop())))
    const ready = Promise.all(Object.values(programs).map((program) => program.ready))
    await Promise.race([ready, aborted(interruption)])

    const cards = cardProviderStandIn(config, environment)
    await cards?.subscribe()
    const hasDemo = await loadDemoVendor({
      directory,
      databaseUrl: database.url,
      isOwnDatabase: config.DATABASE_URL !== undefined,
      customers: async (today) => cards?.demoCustomers(today) ?? [],
      env: environment,
      say,
      signal: interruption,
    })
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

type ProgramsOptions = Pick<StackOptions, 'say' | 'onGivenUp'> & { environment: NodeJS.ProcessEnv }

function runPrograms({ environment, say, onGivenUp }: ProgramsOptions): Stack['programs'] {
  const run = (name: keyof Stack['programs']) =>
    runProgramBeside({
      name,
      script: join(projectFolder, 'apps', name, 'src/main.ts'),
      env: environment,
      say,
      onGivenUp,
    })
  return { sandbox: run('sandbox'), sso: run('sso'), 'account-server': run('account-server') }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
