import { once } from 'node:events'

const signals = ['SIGINT', 'SIGTERM'] as const

interface Running {
  stop(): Promise<void>
}

/**
 * Starts something, and stops it once it is to end: by Ctrl-C, by SIGTERM, or because `end` was called, also in the middle of the
 * start, which the signal interrupts. Answers the exit code of whatever came first.
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
  // A second Ctrl-C changes nothing: the first one is at work, in order.
  for (const name of signals) process.on(name, interrupt)

  try {
    const running = await start(ending.signal, end).catch((error) => {
      // It has taken back by itself what it began.
      if (!ending.signal.aborted) throw error
    })
    if (!ending.signal.aborted) await once(ending.signal, 'abort')
    await running?.stop()
    return exitCode
  } finally {
    for (const name of signals) process.off(name, interrupt)
  }
}
