import type { Db } from '@atrium/server-kit/database.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import { eq } from 'drizzle-orm'
import { credentialOf, lockUser } from '../accounts/accounts.queries.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { endSessionsOf } from '../session/end-sessions.writes.ts'

interface Ending {
  /** In lower case. */
  email: string
  /** Otherwise they are only counted. */
  isEnd: boolean
  jobs: JobSender
}

/** Ends every session of the account with an address, on behalf of an operator. @returns how many; undefined: there is no account */
export function endSessionsOfAddress(db: Db, { email, isEnd, jobs }: Ending): Promise<number | undefined> {
  return db.transaction(async (tx) => {
    const account = await credentialOf(tx, email)
    if (!account || !(await lockUser(tx, account.userId))) return undefined
    const { userId } = account
    const count = await tx.$count(sessions, eq(sessions.userId, userId))
    if (isEnd) await endSessionsOf(tx, userId, { jobs, reason: 'ended-by-operator', now: new Date() })
    return count
  })
}
