import type { FastifyInstance } from 'fastify'
import { ConfigError } from './config.ts'

/** Listens where the settings say. @throws ConfigError with a sentence if the system refuses */
export async function listen(app: FastifyInstance, { port, host }: { port: number; host: string }): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const sentence = error instanceof Error ? listenSentence(error, host) : undefined
    throw sentence ? new ConfigError([sentence]) : error
  }
}

/** Why nothing can listen at an address, as a sentence; undefined for other errors. */
export function listenSentence(error: Error, host = 'localhost'): string | undefined {
  const port = 'port' in error ? error.port : ''
  switch ('code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return `Port ${port} is taken by another program. Stop it, or choose another port.`
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose a port from 1024 up.`
    case 'EADDRNOTAVAIL':
      return `The setting ATRIUM_HOST is not valid: this machine does not have the address ${host}. See .env.example.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The setting ATRIUM_HOST is not valid: the host ${host} cannot be found. See .env.example.`
  }
  return undefined
}
