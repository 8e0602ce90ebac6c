import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { projectFolder } from '../scripts/start/data-directory.ts'

/** Starts a program, and waits until it serves. @param log receives what it writes */
export async function startProgram(
  app: 'sandbox' | 'sso' | 'account-server',
  env: NodeJS.ProcessEnv,
  log?: Buffer[],
): Promise<ChildProcess> {
  const child = fork(join(projectFolder, 'apps', app, 'src/main.ts'), {
    env,
    stdio: ['ignore', log ? 'pipe' : 'inherit', 'inherit', 'ipc'],
  })
  child.stdout?.on('data', (chunk: Buffer) => log?.push(chunk))
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', () => reject(new Error(`${app} did not start.`)))
  })
  return child
}

export function stopProgram(child: ChildProcess): Promise<void> {
  return endProgram(child, 'SIGTERM')
}

/** Kills it with SIGKILL: it finishes nothing. */
export function killProgram(child: ChildProcess): Promise<void> {
  return endProgram(child, 'SIGKILL')
}

async function endProgram(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}
