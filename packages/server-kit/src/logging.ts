import pino, { type Logger } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * One JSON line an event, to standard output or a file. Ids only: the serializers let no header, cookie, address or body through.
 */
export function newLogger(name: string, level: LogLevel, file?: string): Logger {
  const options = { name, level, serializers: logSerializers }
  return file ? pino(options, pino.destination(file)) : pino(options)
}

/** What of a request, a reply and an error is written down. */
export const logSerializers = {
  req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
  res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  err: describeError,
}

/** Drizzle puts a statement's parameters into messages, and so into stacks; those may be anybody's data. */
function describeError(error: unknown): unknown {
  if (!isErrorLike(error)) return { type: typeof error }
  const { message, stack = '' } = error
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : ''
  return {
    type: error.name,
    message: message.split('\nparams:')[0],
    // Of an address with several hosts, each that was tried; the whole has no message of its own.
    errors: error instanceof AggregateError ? error.errors.map(describeError) : undefined,
    code: 'code' in error ? error.code : undefined,
    stack: frames.trimStart(),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

/** An error, or the copy of one that pg-boss hands on. */
function isErrorLike(value: unknown): value is Error {
  if (value instanceof Error) return true
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}
