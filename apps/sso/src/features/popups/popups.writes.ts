import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { PopupPurpose } from '../../popup-wire.ts'
import { hashOf, newToken } from '../../secrets.ts'
import { credentialOfUser } from '../accounts/accounts.queries.ts'
import { linkedAccounts } from '../accounts/linked-accounts.queries.ts'
import { record } from '../activity/activity.writes.ts'
import { hasUsableCode } from './email-codes.writes.ts'
import { popupSessions } from './popups.tables.ts'
import { readUserToken } from './user-token.rules.ts'

/** Lifetime of a popup in milliseconds. */
const popupLife = 600_000

const openedAs = { 'password-reset': 'password.popup-opened', 'account-link': 'identity.popup-opened' } as const

interface Opening {
  accessToken: string
  purpose: PopupPurpose
  caller: Visitor
}

/** Exchanges the account page's token for a popup of ten minutes, once. @throws Problem `token_refused` */
export async function openPopup(deps: Deps, { accessToken, purpose, caller }: Opening) {
  const { db, delays, config, clock } = deps
  await delays.address.take(networkOf(caller.address))
  const now = clock()
  const { userId, tokenId } = await readUserToken(deps, accessToken, purpose)

  return db.transaction(async (tx) => {
    const user = await credentialOfUser(tx, userId)
    if (!user) throw new Problem('token_refused')

    const popupId = newToken()
    const opened = await tx
      .insert(popupSessions)
      .values({ hash: hashOf(popupId), purpose, userId, tokenId, expiresAt: new Date(now.getTime() + popupLife) })
      .onConflictDoNothing({ target: popupSessions.tokenId })
      .returning()
    if (opened.length === 0) throw new Problem('token_refused')

    await record(tx, { now, action: openedAs[purpose], userId, caller })
    const linked = await linkedAccounts(config, tx, userId)
    return {
      popupId,
      email: user.email,
      hasPassword: user.passwordHash !== null,
      isCodeSent: user.passwordHash === null && (await hasUsableCode(tx, { userId, purpose, now })),
      linkedAccounts: linked?.accounts ?? [],
    }
  })
}

/** The account of a popup, and what it may be used for. @throws Problem `popup_expired` */
export async function openedPopup(db: Db | Tx, popupId: string, now: Date) {
  const [popup] = await db
    .select({ userId: popupSessions.userId, purpose: popupSessions.purpose })
    .from(popupSessions)
    .where(and(eq(popupSessions.hash, hashOf(popupId)), gt(popupSessions.expiresAt, now)))
  if (!popup) throw new Problem('popup_expired')
  return popup
}

/** Uses up a popup, which is good for one change. The caller has locked the account. @throws Problem `popup_expired` */
export async function usePopupOnce(tx: Tx, popupId: string): Promise<void> {
  const used = await tx
    .delete(popupSessions)
    .where(eq(popupSessions.hash, hashOf(popupId)))
    .returning()
  if (used.length === 0) throw new Problem('popup_expired')
}
