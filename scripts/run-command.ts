import { type ExecFileOptions, execFile } from 'node:child_process'

type Options = Omit<ExecFileOptions, 'signal'> & { signal?: AbortSignal | undefined }

/**
 * Runs a command. When `signal` aborts, the command is terminated, and this rejects only after it has exited (Node's own
 * `signal` rejects immediately).
 */
export function runCommand(command: string, parameters: readonly string[], options: Options = {}): Promise<void> {
  const { signal, ...others } = options
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => child.kill()
    const child = execFile(command, parameters, others, (error, _output, errors) => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(signal.reason)
      else if (error) reject(new Error(String(errors).trim() || error.message, { cause: error }))
      else resolve()
    })
    signal?.addEventListener('abort', stop)
  })
}
