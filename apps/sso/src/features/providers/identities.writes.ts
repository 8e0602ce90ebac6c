import { randomUUID } from 'node:crypto'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { credentialOfUser } from '../accounts/accounts.queries.ts'
import { accounts } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import type { WayIn } from '../mail/way-in.rules.ts'
import type { ProviderIdentity } from './login-provider.ts'

type Key = { provider: ProviderName } & Pick<ProviderIdentity, 'authority' | 'subject'>

/** The account that an identity signs in to. */
export async function ownerOf(db: Db | Tx, { provider, authority, subject }: Key): Promise<string | undefined> {
  const [found] = await db
    .select({ userId: accounts.userId })
    .from(accounts)
    .where(and(eq(accounts.providerId, provider), eq(accounts.authority, authority), eq(accounts.accountId, subject)))
  return found?.userId
}

interface Link {
  userId: string
  identity: Key & Pick<ProviderIdentity, 'email' | 'institution'>
  /** Whether the account was created with the identity, which then is no news to its owner. */
  isNew: boolean
  /** The ways in that its owner may not know of. */
  others?: readonly WayIn[]
  caller: Visitor
}

/**
 * Links an identity to an account, and emails its owner. The caller has locked the account. Linked to it already, nothing
 * happens. @throws Problem `identity_taken` if it belongs to another account
 */
export async function linkIdentity(deps: Deps, tx: Tx, link: Link): Promise<void> {
  const { userId, identity, isNew, others = [], caller } = link
  const { provider, authority, subject, email, institution } = identity
  const now = deps.clock()
  const linked = await tx
    .insert(accounts)
    .values({
      id: randomUUID(),
      providerId: provider,
      authority,
      accountId: subject,
      userId,
      email,
      institution,
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing({ target: [accounts.providerId, accounts.authority, accounts.accountId] })
    .returning()
  if (linked.length === 0) {
    // A concurrent link has committed by now: the insert waited for it.
    if ((await ownerOf(tx, identity)) === userId) return
    throw new Problem('identity_taken')
  }

  await record(tx, { now, action: 'identity.linked', userId, caller, details: { provider, authority } })
  if (!isNew) await emailOwner(deps, tx, { userId, provider, name: 'providerLinked', ways: others })
}

interface News {
  userId: string
  provider: ProviderName
  name: 'providerLinked' | 'providerUnlinked'
  ways?: readonly WayIn[]
}

/** Reports a change of the ways to sign in. */
export async function emailOwner(deps: Deps, tx: Tx, { userId, ...news }: News): Promise<void> {
  const user = await credentialOfUser(tx, userId)
  if (!user) return
  await sendEmail(deps, tx, {
    ...news,
    reader: { email: user.email, name: user.firstName, locale: user.locale },
    secrets: { url: `${deps.config.ACCOUNT_URL}/account?tab=security-settings` },
  })
}
