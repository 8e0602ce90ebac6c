import pino, { type Logger } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/**
 * One JSON line per event, to standard output or a file. Ids only: the serializers drop headers, cookies, addresses and bodies.
 */
export function newLogger(name: string, level: LogLevel, file?: string): Logger {
  const options = { name, level, serializers: logSerializers }
  return file ? pino(options, pino.destination(file)) : pino(options)
}

/** The logged fields of a request, a reply and an error. */
export const logSerializers = {
  req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
  res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  err: describeError,
}

/** Drizzle puts a statement's parameters, which may be personal data, into messages and so into stacks. */
function describeError(error: unknown): unknown {
  if (!isErrorLike(error)) return { type: typeof error }
  const { message, stack = '' } = error
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : ''
  return {
    type: error.name,
    message: message.split('\nparams:')[0],
    // One for each address of a host that was tried; the aggregate has no message of its own.
    errors: error instanceof AggregateError ? error.errors.map(describeError) : undefined,
    code: 'code' in error ? error.code : undefined,
    stack: frames.trimStart(),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

/** An error, or the copy of one that pg-boss passes on. */
function isErrorLike(value: unknown): value is Error {
  if (value instanceof Error) return true
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}
