import { once } from 'node:events'

const signals = ['SIGINT', 'SIGTERM'] as const

interface Running {
  stop(): Promise<void>
}

/**
 * Starts something and runs it until Ctrl-C, SIGTERM or a call of `end`, then stops it. This aborts a start that is
 * still under way. @returns the exit code
 */
export async function runUntilEnded(
  start: (signal: AbortSignal, end: (exitCode: number) => void) => Promise<Running>,
): Promise<number> {
  const ending = new AbortController()
  let exitCode = 0
  const end = (code: number) => {
    if (ending.signal.aborted) return
    exitCode = code
    ending.abort()
  }
  const interrupt = () => end(0)
  // A second Ctrl-C is ignored: the graceful stop continues.
  for (const name of signals) process.on(name, interrupt)

  try {
    const running = await start(ending.signal, end).catch((error) => {
      // An aborted start has cleaned up after itself.
      if (!ending.signal.aborted) throw error
    })
    if (!ending.signal.aborted) await once(ending.signal, 'abort')
    await running?.stop()
    return exitCode
  } finally {
    for (const name of signals) process.off(name, interrupt)
  }
}
