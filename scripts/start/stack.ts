import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
  prepare(): Promise<unknown>
  onGivenUp(): void
}

/** Brings up the database and the three programs, with the demo vendor in an empty one; or leaves nothing behind. */
export async function startStack({ env, say, prepare, onGivenUp }: StackOptions): Promise<Stack> {
  const config = readStartConfig(env)
  const undo: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }

  try {
    const directory = await dataDirectory(config.ATRIUM_DATA_DIR)
    undo.push(await holdDirectory(directory))
    await refuseTakenPorts([
      { port: config.ATRIUM_PORT, setting: 'ATRIUM_PORT' },
      { port: config.ATRIUM_SSO_PORT, setting: 'ATRIUM_SSO_PORT' },
      { port: config.ATRIUM_SANDBOX_PORT, setting: 'ATRIUM_SANDBOX_PORT' },
      { port: config.SANDBOX_SMTP_PORT, setting: 'SANDBOX_SMTP_PORT' },
    ])

    const starting = config.DATABASE_URL ? ownDatabase(config.DATABASE_URL) : embeddedDatabase(directory, say)
    undo.push(async () => {
      const started = await starting.catch(() => undefined)
      await started?.stop()
    })
    const [database] = await Promise.all([starting, prepare()])

    const environment = programEnvironment(config, database.url, env)
    const run = (name: 'sandbox' | 'sso' | 'account-server') =>
      runProgramBeside({
        name,
        script: join(projectFolder, 'apps', name, 'src/main.ts'),
        env: environment,
        say,
        onGivenUp,
      })
    const programs = { sandbox: run('sandbox'), sso: run('sso'), 'account-server': run('account-server') }
    undo.push(async () => {
      await Promise.all(Object.values(programs).map((program) => program.stop()))
    })
    await Promise.all(Object.values(programs).map((program) => program.ready))
    const cards = cardProviderStandIn(config, environment)
    await cards?.subscribe()
    const hasDemo = await loadDemoVendor({
      directory,
      databaseUrl: database.url,
      isOwnDatabase: config.DATABASE_URL !== undefined,
      customers: async (today) => cards?.demoCustomers(today) ?? [],
      env: environment,
      say,
    })
    return { config, databaseUrl: database.url, environment, programs, hasDemo, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** `.env` in the project, where there is one; the environment itself comes first. */
export function loadEnvironmentFile(): void {
  const file = join(projectFolder, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}
