import './environment-file.ts'
import { join } from 'node:path'
import { dataDirectory, lockDirectory, projectFolder } from './start/data-directory.ts'
import { embeddedDatabase } from './start/database.ts'
import { refuseTakenPorts } from './start/ports.ts'
import { superviseProgram } from './start/programs.ts'
import { runUntilEnded } from './start/run-until-ended.ts'
import { readStartConfig } from './start/settings.ts'
import { buildPages } from './start/web-build.ts'

/**
 * `npm run sandbox`: the stand-ins alone, on an embedded database of their own, for programs that are tested against them
 * (`apps/sandbox/README.md`).
 */
const say = (sentence: string) => process.stdout.write(`${sentence}\n`)
const { ATRIUM_SANDBOX_PORT: port, SANDBOX_SMTP_PORT: smtpPort, ATRIUM_DATA_DIR } = readStartConfig(process.env)

try {
  const exitCode = await runUntilEnded(start)
  process.exit(exitCode)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

async function start(signal: AbortSignal, end: (exitCode: number) => void) {
  const undo: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const directory = join(await dataDirectory(ATRIUM_DATA_DIR), 'sandbox')
    undo.push(await lockDirectory(directory))
    await refuseTakenPorts([
      { port, setting: 'ATRIUM_SANDBOX_PORT' },
      { port: smtpPort, setting: 'SANDBOX_SMTP_PORT' },
    ])
    const [database] = await Promise.all([
      embeddedDatabase(directory, say, signal).then((running) => {
        undo.push(running.stop)
        return running
      }),
      buildPages(signal, ['apps/sandbox']),
    ])
    const program = superviseProgram({
      name: 'sandbox',
      script: join(projectFolder, 'apps/sandbox/src/main.ts'),
      env: { ...process.env, DATABASE_URL: database.url },
      say,
      onFailed: () => end(1),
    })
    undo.push(program.stop)
    await program.ready
    say(`The sandbox is ready: http://localhost:${port}. Ctrl-C stops it.`)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}
