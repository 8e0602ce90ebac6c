import type { Db } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Secrets } from '../../secrets.ts'
import { credentialOf } from '../accounts/accounts.queries.ts'
import { type RefusedCredentials, recordRefusal } from '../activity/activity.writes.ts'

interface Refused extends Pick<RefusedCredentials, 'kind' | 'caller'> {
  /** As it was typed, in lower case. */
  email: string
}

/** Traces of credentials that were refused before it is said whether there is an account. */
export interface Refusals {
  /**
   * Records it in the activity of the account with the address; if there is none, in the log. Not awaited by the request, so that its
   * time does not tell which of both it was.
   */
  note(refused: Refused): void
  /** When everything is written. */
  settled(): Promise<void>
}

interface Needs {
  db: Db
  logger: FastifyBaseLogger
  secrets: Secrets
  clock: () => Date
}

export function newRefusals({ db, logger, secrets, clock }: Needs): Refusals {
  const pending = new Set<Promise<void>>()

  async function write({ email, kind, caller }: Refused): Promise<void> {
    const account = await credentialOf(db, email)
    if (account) {
      return db.transaction((tx) => recordRefusal(tx, { userId: account.userId, kind, caller, now: clock() }))
    }
    // Whoever mistypes an address may have typed a password there: the log says only whether it was the same again.
    const nameHash = secrets.sign('name', email).slice(0, 16)
    const { requestId, address } = caller
    logger.warn({ nameHash, kind, network: networkOf(address), requestId }, 'credentials of no account refused')
  }

  return {
    note(refused) {
      const { requestId } = refused.caller
      const writing = write(refused)
        .catch((error: unknown) => logger.error({ err: error, requestId }, 'refused credentials were not recorded'))
        .finally(() => pending.delete(writing))
      pending.add(writing)
    },
    async settled() {
      await Promise.all(pending)
    },
  }
}
