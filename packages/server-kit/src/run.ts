import type { Logger } from 'pino'
import { refuseMissingCertificates } from './extra-certificates.ts'
import { startErrorSentence } from './start-errors.ts'

/** Milliseconds that a stop may take before it is forced; the start script waits somewhat longer. */
const patience = 7000

/** Runs a program: a wrong setting is one sentence and exit 1; SIGTERM and SIGINT stop it in order and exit 0. */
export async function runProgram(start: () => Promise<{ logger: Logger; stop(): Promise<void> }>): Promise<void> {
  try {
    refuseMissingCertificates(process.env)
    const { logger, stop } = await start()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void stopWithin(patience, stop, logger))
    }
    // The start script is our parent; when it is gone, nobody would stop us.
    process.once('disconnect', () => void stopWithin(patience, stop, logger))
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
