import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { betterAuth } from 'better-auth'
import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import { createInternalAdapter } from 'better-auth/db'
import { accounts, sessions, users, verifications } from './accounts.tables.ts'
import type { Hashing } from './hashing.ts'

const tables = { user: users, session: sessions, account: accounts, verification: verifications }

interface AccountsOptions {
  db: Db
  hashing: Hashing
  publicUrl: string
  secret: string
}

/**
 * better-auth on our tables. Its operations run in the caller's transaction, so that a change of an account, its activity
 * row and its emails commit together. Its own HTTP routes are not mounted.
 */
export async function newAccounts({ db, hashing, publicUrl, secret }: AccountsOptions) {
  const options = {
    baseURL: publicUrl,
    secret,
    telemetry: { enabled: false },
    logger: { disabled: true },
    emailAndPassword: {
      enabled: true,
      password: {
        hash: hashing.hash,
        verify: ({ hash, password }: { hash: string; password: string }) => hashing.verify(hash, password),
      },
    },
    user: {
      additionalFields: {
        firstName: { type: 'string', required: false },
        lastName: { type: 'string', required: false },
        locale: { type: 'string', required: false },
      },
    },
  } as const
  const adapterOf = (connection: Db | Tx) => drizzleAdapter(connection, { provider: 'pg', schema: tables })
  const auth = betterAuth({ ...options, database: adapterOf(db) })
  const context = await auth.$context

  return {
    /** The operations on accounts, inside a transaction. */
    within(tx: Tx) {
      return createInternalAdapter(adapterOf(tx)(context.options), {
        options: context.options,
        logger: context.logger,
        hooks: [],
        generateId: context.generateId,
      })
    },
  }
}

export type Accounts = Awaited<ReturnType<typeof newAccounts>>
