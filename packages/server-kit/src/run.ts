import type { Logger } from 'pino'
import { refuseMissingCertificates } from './extra-certificates.ts'
import { startErrorSentence } from './start-errors.ts'

/** Milliseconds before a stop is forced; the start script waits somewhat longer. */
const stopTimeoutMs = 7000

/** Runs a program. An invalid setting prints one sentence and exits 1; SIGTERM and SIGINT stop it gracefully and exit 0. */
export async function runProgram(start: () => Promise<{ logger: Logger; stop(): Promise<void> }>): Promise<void> {
  try {
    refuseMissingCertificates(process.env)
    const { logger, stop } = await start()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void stopWithin(stopTimeoutMs, stop, logger))
    }
    // The start script is the parent process; without it, nothing else would stop this one.
    process.once('disconnect', () => void stopWithin(stopTimeoutMs, stop, logger))
    process.send?.('ready')
  } catch (error) {
    process.stderr.write(`${startErrorSentence(error)}\n`)
    process.exit(1)
  }
}

async function stopWithin(milliseconds: number, stop: () => Promise<void>, logger: Logger) {
  const forced = setTimeout(() => {
    logger.error('did not stop in time')
    process.exit(1)
  }, milliseconds)
  forced.unref()
  try {
    await stop()
    process.exit(0)
  } catch (error) {
    logger.error({ err: error }, 'did not stop cleanly')
    process.exit(1)
  }
}
