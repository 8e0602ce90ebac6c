import type { Tx } from '@atrium/server-kit/database.ts'
import { codeLimits, isCodeUsable, newCode, secondsToNextCode } from '@atrium/server-kit/email-codes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { lockUser } from '../accounts/accounts.queries.ts'
import { users } from '../accounts/accounts.tables.ts'
import { confirmEmail } from '../accounts/accounts.writes.ts'
import { waysInto } from '../accounts/linked-accounts.queries.ts'
import { record } from '../activity/activity.writes.ts'
import { codeAllowances, takeEmail } from '../delays/delays.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { endSessionsOf } from '../session/end-sessions.writes.ts'
import { pendingIdentities } from '../session/pending-identities.tables.ts'
import { withPassword } from '../sign-in/password-check.writes.ts'
import { type SigningBrowser, startSignedIn } from '../sign-in/session-start.writes.ts'
import { linkIdentity } from './identities.writes.ts'
import {
  createAccountOf,
  findPending,
  lockPending,
  type Pending,
  type PendingKey,
  takePending,
} from './pending.writes.ts'

interface CodeRequest extends PendingKey {
  email: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: SigningBrowser['caller']
}

/**
 * Sends a code to an address, whether it has an account or not. A new code replaces an older one.
 * @throws Problem `flow_spent`, `too_often`
 */
export async function sendIdentityCode(deps: Deps, { email, device, caller, ...key }: CodeRequest): Promise<void> {
  const { db, delays, secrets, clock } = deps
  // What comes too soon sends nothing, and must not use up the allowance of emails.
  refuseTooSoon(await findPending(db, key, clock()), clock())
  await takeEmail(delays, { email, device, caller })
  await db.transaction(async (tx) => {
    const now = clock()
    const pending = await lockPending(tx, key, now)
    refuseTooSoon(pending, now)

    const code = newCode()
    await tx
      .update(pendingIdentities)
      .set({
        codeEmail: email,
        codeHash: secrets.sign('code', textOf(pending.hash, email, code)),
        codeSentAt: now,
        codeExpiresAt: new Date(now.getTime() + codeLimits.lifeMs),
        triesLeft: codeLimits.tries,
      })
      .where(eq(pendingIdentities.hash, pending.hash))
    const { provider, locale } = pending
    await record(tx, { now, action: 'identity.code-sent', userId: null, caller, details: { provider } })
    // Whoever signs in chose the name, so it must not appear in an email to the owner of the address.
    await sendEmail(deps, tx, {
      name: 'providerCode',
      reader: { email, name: '', locale },
      provider,
      secrets: { code },
    })
  })
}

function refuseTooSoon({ codeSentAt }: Pending, now: Date): void {
  const retryAfter = secondsToNextCode(codeSentAt ?? undefined, now)
  if (retryAfter > 0) throw new Problem('too_often', { retryAfter })
}

/** What is signed: a code is good for one pending identity and one address. */
const textOf = (hash: string, email: string, code: string) => `identity:${hash}:${email}:${code}`

interface CodeProof extends PendingKey {
  email: string
  code: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  signing: SigningBrowser
}

/**
 * Signs in to the account of the address, or to a new one, and links the identity to it.
 * @throws Problem `flow_spent`, `wrong_code`, `code_spent`, `identity_taken`, `too_often`
 */
export async function confirmWithCode(deps: Deps, { email, code, device, signing, ...key }: CodeProof) {
  const { caller } = signing
  const outcome = await countedIfWrong(codeAllowances(deps.delays, { email, device, caller }), () =>
    deps.db.transaction(async (tx) => {
      const pending = await lockPending(tx, key, deps.clock())
      const verdict = await judge(deps, tx, { pending, email, code })
      if (verdict !== 'right') return verdict
      return signInAt(deps, tx, { pending, email, signing })
    }),
  )
  // Thrown only after the transaction that counts the try has committed.
  if (outcome === 'wrong_code') deps.refusals.note({ email, kind: 'code', caller: signing.caller })
  if (typeof outcome === 'string') throw new Problem(outcome)
  return outcome
}

/** A guess is counted before it is compared, so that many at once are not more; what is not wrong is given back. */
async function countedIfWrong<Outcome>(
  allowances: ReturnType<typeof codeAllowances>,
  guess: () => Promise<Outcome>,
): Promise<Outcome> {
  for (const { allowance, key } of allowances) await allowance.take(key)
  let isWrong = false
  try {
    const outcome = await guess()
    isWrong = outcome === 'wrong_code'
    return outcome
  } finally {
    if (!isWrong) for (const { allowance, key } of allowances) await allowance.restore(key)
  }
}

interface Guess {
  pending: Pending
  email: string
  code: string
}

/** At most five guesses are compared, however many arrive concurrently: the row is locked. */
async function judge({ secrets, clock }: Deps, tx: Tx, { pending, email, code }: Guess) {
  const { hash, codeEmail, codeHash, codeExpiresAt, triesLeft } = pending
  const now = clock()
  if (codeEmail !== email || codeHash === null || codeExpiresAt === null) return 'code_spent'
  if (!isCodeUsable({ triesLeft, expiresAt: codeExpiresAt }, now)) return 'code_spent'
  if (secrets.isSignedBy('code', textOf(hash, email, code), codeHash)) return 'right'

  await tx
    .update(pendingIdentities)
    .set({ triesLeft: triesLeft - 1 })
    .where(eq(pendingIdentities.hash, hash))
  return 'wrong_code'
}

interface Confirmed {
  pending: Pending
  email: string
  signing: SigningBrowser
}

async function signInAt(deps: Deps, tx: Tx, { pending, email, signing }: Confirmed) {
  await tx.delete(pendingIdentities).where(eq(pendingIdentities.hash, pending.hash))
  const userId =
    (await createAccountOf(deps, tx, { identity: pending, email, locale: pending.locale, caller: signing.caller })) ??
    (await linkToAccountOf(deps, tx, { pending, email, signing }))
  return start(deps, tx, { userId, pending, email, signing })
}

async function linkToAccountOf(deps: Deps, tx: Tx, { pending, email, signing }: Confirmed): Promise<string> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
  if (!user || !(await lockUser(tx, user.id))) throw new Problem('flow_spent')
  // The code proves the address.
  if (await confirmEmail(tx, user.id)) {
    const { jobs, clock } = deps
    await endSessionsOf(tx, user.id, { jobs, reason: 'password-changed', caller: signing.caller, now: clock() })
  }
  // Whoever has the mailbox now may not know who has made the account.
  const others = await waysInto(tx, user.id)
  await linkIdentity(deps, tx, { userId: user.id, identity: pending, isNew: false, others, caller: signing.caller })
  return user.id
}

async function start(deps: Deps, tx: Tx, { userId, pending, email, signing }: Confirmed & { userId: string }) {
  const { service, method, locale, provider } = pending
  const started = await startSignedIn(deps, tx, { ...signing, userId, service, locale, provider })
  return { started, email, service, method }
}

interface PasswordProof extends PendingKey {
  email: string
  password: string
  device: string | undefined
  signing: SigningBrowser
}

/** Signs in with a password, and links the identity to that account. @throws Problem `flow_spent`, `wrong_credentials`, `too_often`, `identity_taken` */
export function confirmWithPassword(deps: Deps, { signing, pendingId, browser, ...given }: PasswordProof) {
  const { email, password, device } = given
  return withPassword(deps, { email, password, device, caller: signing.caller }, async (tx, userId) => {
    const pending = await takePending(tx, { pendingId, browser }, deps.clock())
    await linkIdentity(deps, tx, { userId, identity: pending, isNew: false, caller: signing.caller })
    return start(deps, tx, { userId, pending, email, signing })
  })
}
