import type { LinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { asc, eq } from 'drizzle-orm'
import type { SsoConfig } from '../../config.ts'
import type { WayIn } from '../mail/way-in.rules.ts'
import { credentialOfUser } from './accounts.queries.ts'
import { accounts } from './accounts.tables.ts'
import { canSignInWithout } from './linked-accounts.rules.ts'

/** The linked accounts of an account, in the order in which they were linked; `undefined` if it does not exist any more. */
export async function linkedAccounts(
  { PROVIDERS }: Pick<SsoConfig, 'PROVIDERS'>,
  db: Db | Tx,
  userId: string,
): Promise<LinkedAccounts | undefined> {
  const user = await credentialOfUser(db, userId)
  if (!user) return undefined
  const identities = await identitiesOf(db, userId)
  const providers = PROVIDERS.map(({ name }) => name)
  const waysIn = { hasPassword: user.passwordHash !== null, identities, providers }
  return {
    providers,
    accounts: identities.map(({ linkedAt, ...identity }) => ({
      ...identity,
      linkedAt: Math.trunc(linkedAt.getTime() / 1000),
      canUnlink: canSignInWithout(identity.id, waysIn),
    })),
  }
}

/** The login providers that sign in to an account, each once. */
export async function linkedProviders(db: Db | Tx, userId: string): Promise<ProviderName[]> {
  return [...new Set((await identitiesOf(db, userId)).map(({ provider }) => provider))]
}

/** What signs in to an account: its password, and the login providers. */
export async function waysInto(db: Db | Tx, userId: string): Promise<WayIn[]> {
  const user = await credentialOfUser(db, userId)
  return [...(user?.passwordHash ? ['password' as const] : []), ...(await linkedProviders(db, userId))]
}

async function identitiesOf(db: Db | Tx, userId: string) {
  const rows = await db
    .select({
      id: accounts.id,
      provider: accounts.providerId,
      email: accounts.email,
      institution: accounts.institution,
      linkedAt: accounts.createdAt,
    })
    .from(accounts)
    .where(eq(accounts.userId, userId))
    .orderBy(asc(accounts.createdAt), asc(accounts.id))
  // The others are passwords.
  return rows.flatMap(({ provider, ...row }) => {
    const { data: name } = ProviderName.safeParse(provider)
    return name ? [{ ...row, provider: name }] : []
  })
}
