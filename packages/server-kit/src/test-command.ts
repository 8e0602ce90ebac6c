import { execFile } from 'node:child_process'
import { type OperatorCommand, runCommand } from './command.ts'
import { bareEnvironment } from './test-environment.ts'

interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Runs a command in the test's own process, since a program takes seconds to start. @param env all that is set for it */
export async function runInside(
  command: OperatorCommand,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const written = { stdout: '', stderr: '' }
  const outputTo = (name: keyof typeof written) => ({
    write(text: string) {
      written[name] += text
    },
  })
  const argv = ['node', 'command', ...parameters]
  const code = await runCommand(command, { argv, env, stdout: outputTo('stdout'), stderr: outputTo('stderr') })
  return { code, ...written }
}

/** Runs a command's program as an operator does. @param env all that is set for it */
export function runProgram(path: string, parameters: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [path, ...parameters],
      { env: { ...bareEnvironment, ...env } },
      (_error, stdout, stderr) => resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    )
  })
}
