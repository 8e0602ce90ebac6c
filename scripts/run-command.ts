import { type ExecFileOptions, execFile } from 'node:child_process'

/** @property signal interrupts it */
type Options = Omit<ExecFileOptions, 'signal'> & { signal?: AbortSignal | undefined }

/**
 * Runs a command to its end. An interrupted one is told to stop and then waited for, so that nothing of it is left when this
 * rejects; Node's own `signal` rejects at once.
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
