import pino, { type Logger } from 'pino'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** One JSON line an event. Ids only: the serializers let no header, cookie, address or body through. */
export function newLogger(name: string, level: LogLevel): Logger {
  return pino({
    name,
    level,
    serializers: logSerializers,
  })
}

/** What of a request, a reply and an error is written down. */
export const logSerializers = {
  req: (request: { id: string; method: string }) => ({ id: request.id, method: request.method }),
  res: (reply: { statusCode: number }) => ({ statusCode: reply.statusCode }),
  err: describeError,
}

/** Drizzle puts a statement's parameters into messages, and so into stacks; those may be anybody's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const { message, stack = '' } = error
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : ''
  return {
    type: error.name,
    message: message.split('\nparams:')[0],
    code: 'code' in error ? error.code : undefined,
    stack: frames.trimStart(),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}
