import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { users } from '../accounts/accounts.tables.ts'
import { holdSession, sessionOf } from '../session/session.queries.ts'
import { type SigningBrowser, type Started, startSignedIn } from '../sign-in/session-start.writes.ts'
import { type Flow, isPasswordOf, prepareFlow, takeFlow } from './flows.writes.ts'
import { linkIdentity, ownerOf } from './identities.writes.ts'
import type { ProviderIdentity } from './login-provider.ts'
import { createAccountOf, savePending } from './pending.writes.ts'
import { providerNamed, redirectUriOf } from './providers.ts'

type StartSignIn = Omit<Parameters<typeof prepareFlow>[1], 'provider'> & {
  provider: ProviderName
  caller: SigningBrowser['caller']
}

/** Begins a sign-in at a provider. @returns the address there @throws Problem `provider_removed`, `provider_unreachable` */
export async function startSignIn(deps: Deps, { provider: name, caller, ...start }: StartSignIn): Promise<string> {
  await deps.delays.address.take(networkOf(caller.address))
  const provider = providerNamed(deps.providers, name)
  const flow = await prepareFlow(deps, { ...start, provider })
  await flow.save(deps.db)
  return flow.redirectUrl
}

interface Answer {
  provider: ProviderName
  /** The query of the callback address. */
  answer: string
  browser: string
  signing: SigningBrowser
}

export type Finished = { flow: Flow } & (
  | { step: 'signed-in'; started: Started; email: string }
  | { step: 'confirm'; pendingId: string; email: string; name: string; hasAccount: boolean }
  | { step: 'linked' }
)

/**
 * Redeems the answer of a provider: signs in the account of the identity, or a new one; links it to the account that asked for
 * it; or lets the person prove an account first. An address alone never links anything.
 * @throws Problem `flow_spent`, `identity_taken`, and those of the provider
 */
export async function finishSignIn(
  deps: Deps,
  { provider: name, answer, browser, signing }: Answer,
): Promise<Finished> {
  const { db, delays, secrets, config, clock } = deps
  await delays.address.take(networkOf(signing.caller.address))
  const provider = providerNamed(deps.providers, name)
  const parameters = new URLSearchParams(answer)
  const state = parameters.get('state') ?? ''
  // Committed before the provider is called: an answer is redeemed once, whatever becomes of it.
  const flow = await takeFlow(db, { state, browser, provider: name }, clock())
  if (!flow) throw new Problem('flow_spent')

  const identity = await provider.identify({
    parameters,
    state,
    nonce: flow.nonce,
    codeVerifier: secrets.open(flow.sealedVerifier),
    redirectUri: redirectUriOf(config.SSO_URL, name),
  })
  const { userId } = flow
  return db.transaction((tx) =>
    userId === null
      ? signInAs(deps, tx, { identity, flow, browser, signing })
      : linkTo(deps, tx, { userId, identity, flow, signing }),
  )
}

interface Linking {
  userId: string
  identity: ProviderIdentity
  flow: Flow
  signing: SigningBrowser
}

async function linkTo(deps: Deps, tx: Tx, { userId, identity, flow, signing }: Linking): Promise<Finished> {
  const now = deps.clock()
  await lockUser(tx, userId)
  const user = await credentialOfUser(tx, userId)
  // Whoever began it may have left, and somebody else may use the browser.
  const session = await sessionOf(tx, signing.browser.token, now)
  if (session?.userId !== userId || !(await holdSession(tx, session.id, now))) throw new Problem('flow_spent')
  // Whoever authenticated again with a password that is no longer the account's must not get another way in.
  if (!user || !isPasswordOf(flow, user.passwordHash)) throw new Problem('flow_spent')
  const linked = { ...identity, provider: flow.provider }
  await linkIdentity(deps, tx, { userId, identity: linked, isNew: false, caller: signing.caller })
  return { step: 'linked', flow }
}

interface Identified {
  identity: ProviderIdentity
  flow: Flow
  browser: string
  signing: SigningBrowser
}

async function signInAs(deps: Deps, tx: Tx, { identity, flow, browser, signing }: Identified): Promise<Finished> {
  const key = { ...identity, provider: flow.provider }
  const owner = await ownerOf(tx, key)
  if (owner !== undefined) return asOwner(deps, tx, { owner, key, flow, signing })

  const { email } = identity
  if (email !== null && identity.emailVerified) {
    const userId = await createAccountOf(deps, tx, { identity: key, email, locale: flow.locale, ...signing })
    if (userId) return { step: 'signed-in', email, flow, started: await start(deps, tx, { userId, flow, signing }) }
    // Another tab may have created the account meanwhile, with this identity.
    const concurrent = await ownerOf(tx, key)
    if (concurrent !== undefined) return asOwner(deps, tx, { owner: concurrent, key, flow, signing })
  }
  const hasAccount = email !== null && identity.emailVerified
  const pendingId = await savePending(tx, { identity: key, flow, browser, now: deps.clock() })
  const name = `${identity.firstName} ${identity.lastName}`.trim()
  return { step: 'confirm', pendingId, email: email ?? '', name, hasAccount, flow }
}

interface Owned {
  owner: string
  key: ProviderIdentity & { provider: ProviderName }
  flow: Flow
  signing: SigningBrowser
}

async function asOwner(deps: Deps, tx: Tx, { owner, key, flow, signing }: Owned): Promise<Finished> {
  // The account is always locked before its identities, which may have been unlinked meanwhile.
  await lockUser(tx, owner)
  if ((await ownerOf(tx, key)) !== owner) throw new Problem('flow_spent')
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, owner))
  if (!user) throw new Problem('flow_spent')
  const started = await start(deps, tx, { userId: owner, flow, signing })
  return { step: 'signed-in', started, email: user.email, flow }
}

function start(deps: Deps, tx: Tx, { userId, flow, signing }: { userId: string; flow: Flow; signing: SigningBrowser }) {
  const { provider, service, locale } = flow
  return startSignedIn(deps, tx, { ...signing, userId, service, locale, provider })
}
