import '../environment-file.ts'
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive } from '../postgres/orphan.ts'
import { dataDirectory, projectFolder } from './data-directory.ts'
import { programEnvironment, readStartConfig } from './settings.ts'

/**
 * Runs commands one after another until one fails, with DATABASE_URL or, if unset, with the database of a running `npm start` and the
 * settings of its programs: the providers of its sandbox, its clock, the secret of its shop. Prints a sentence if there is neither.
 */
export async function runWithDatabase(...commands: string[]): Promise<void> {
  const running = process.env.DATABASE_URL ? undefined : await runningDatabase()
  const env = running ? environmentBeside(running, process.env) : process.env
  for (const command of commands) {
    const code = await exitCodeOf(command, env)
    if (code !== 0) process.exit(code)
  }
}

function exitCodeOf(command: string, env: NodeJS.ProcessEnv): Promise<number> {
  const parameters = [join(projectFolder, command), ...process.argv.slice(2)]
  const child = spawn(process.execPath, parameters, { stdio: 'inherit', env })
  // Killed by a signal: 1 would say that only some lines were refused.
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 4)))
}

/** What `npm start` gave to its programs, at the ports that it was given, and a secret for trials. */
export function environmentBeside(databaseUrl: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const beside = programEnvironment(readStartConfig(env), databaseUrl, env)
  return { ERASURE_SECRET: 'a secret for trials on this machine only', ...beside }
}

/** PostgreSQL writes its process id and its port to the first and the fourth line of its lock file. */
async function runningDatabase(): Promise<string | undefined> {
  const directory = await dataDirectory(process.env.ATRIUM_DATA_DIR)
  const [lock, password] = await Promise.all(
    ['postgresql/postmaster.pid', 'postgresql.password'].map((name) =>
      readFile(join(directory, name), 'utf8').catch(() => ''),
    ),
  )
  const [pid, , , port] = lock?.split('\n') ?? []
  // One that was killed leaves the file behind.
  return port && isAlive(Number(pid))
    ? `postgres://atrium:${password?.trim()}@127.0.0.1:${port.trim()}/atrium`
    : undefined
}
