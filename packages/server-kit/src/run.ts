import type { Logger } from 'pino'
import { ConfigError } from './config.ts'

/** Milliseconds that a stop may take before it is forced; the start script waits somewhat longer. */
const patience = 7000

/** Runs a program: a wrong setting is one sentence and exit 1; SIGTERM and SIGINT stop it in order and exit 0. */
export async function runProgram(start: () => Promise<{ logger: Logger; stop(): Promise<void> }>): Promise<void> {
  try {
    const { logger, stop } = await start()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => void stopWithin(patience, stop, logger))
    }
    // The start script is our parent; when it is gone, nobody would stop us.
    process.once('disconnect', () => void stopWithin(patience, stop, logger))
    process.send?.('ready')
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
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

/** Why a program could not start, as a sentence for the person who started it. */
function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  const chain = error instanceof AggregateError ? error.errors[0] : error
  if (!(chain instanceof Error)) return String(error)
  const code = 'code' in chain ? chain.code : undefined
  if (code === 'EADDRINUSE' && 'port' in chain) {
    return `Port ${chain.port} is taken by another program. Stop it, or choose another port.`
  }
  const cause = chain.cause instanceof Error ? chain.cause : chain
  if ('code' in cause && cause.code === 'ECONNREFUSED')
    return 'The database of DATABASE_URL does not answer. Is it running?'
  if ('code' in cause && (cause.code === '28P01' || cause.code === '28000')) {
    return 'The database refuses the user or the password of DATABASE_URL.'
  }
  if ('code' in cause && cause.code === '3D000') return 'The database named in DATABASE_URL does not exist.'
  return chain.stack ?? chain.message
}
