import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { Db } from '@atrium/server-kit/database.ts'
import type { FastifyBaseLogger } from 'fastify'
import { SMTPServer } from 'smtp-server'
import { deliver } from './mail.writes.ts'

interface Options {
  db: Db
  clock: () => Date
  logger: FastifyBaseLogger
  /** 0 for any free port. */
  port: number
}

interface Smtp {
  port: number
  close(): Promise<void>
}

const mostBytes = 10 * 1024 * 1024

/** Accepts email for every recipient, on loopback only. An email is acknowledged once it is stored. */
export async function listenForMail({ db, clock, logger, port }: Options): Promise<Smtp> {
  const smtp = new SMTPServer({
    banner: 'sandbox',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxAllowedUnauthenticatedCommands: false,
    size: mostBytes,
    rejectOversized: true,
    closeTimeout: 2000,
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      take(stream, async (source) => {
        if (source) await deliver(db, { source, recipients, now: clock() })
      }).then(
        () => callback(),
        (error) => {
          logger.warn({ err: error }, 'an email could not be stored')
          // 4xx: the sender retries later.
          callback(Object.assign(new Error('cannot store the email now'), { responseCode: 451 }))
        },
      )
    },
  })
  // Clients that disconnect in the middle of a command are not our failure.
  smtp.on('error', (error) => logger.debug({ err: error }, 'smtp'))

  smtp.listen(port, '127.0.0.1')
  await once(smtp.server, 'listening')

  const address = smtp.server.address()
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    close: promisify((done: () => void) => smtp.close(done)),
  }
}

/** Reads an email to its end; one that is too long is drained and not stored. */
async function take(stream: Readable, store: (source: Uint8Array | undefined) => Promise<void>): Promise<void> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  await store(bytes <= mostBytes ? Buffer.concat(chunks) : undefined)
}
