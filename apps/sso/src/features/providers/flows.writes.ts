import type { ProviderName } from '@atrium/contract/login-providers.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt } from 'drizzle-orm'
import { generateRandomCodeVerifier, generateRandomNonce } from 'oauth4webapi'
import type { Deps } from '../../deps.ts'
import { hashOf, newToken } from '../../secrets.ts'
import type { TicketMethod } from '../../wire.ts'
import type { Owner } from '../popups/proof.writes.ts'
import type { LoginProvider } from './login-provider.ts'
import { providerFlows } from './providers.tables.ts'
import { redirectUriOf } from './providers.ts'

/** Milliseconds in which a person signs in at the provider. */
const flowLife = 900_000

interface Start {
  provider: LoginProvider
  /** The id of the browser, from its cookie. */
  browser: string
  /** A registered service, exactly as requested. */
  service: string | null
  method: TicketMethod
  locale: string
}

export interface PreparedFlow {
  /** The address at the provider. */
  redirectUrl: string
  /** Stores the flow, in the caller's transaction; of a link with the owner of the account, who has authenticated again. */
  save(tx: Db | Tx, owner?: Owner): Promise<void>
}

export type Flow = typeof providerFlows.$inferSelect

/** Identifies a password without repeating its hash. */
const fingerprintOf = (passwordHash: string | null) => hashOf(passwordHash ?? '')

/** Whether the password with which the owner of a link authenticated again still is the account's. */
export function isPasswordOf({ passwordFingerprint }: Flow, passwordHash: string | null): boolean {
  return passwordFingerprint === fingerprintOf(passwordHash)
}

/** Prepares a sign-in at a provider. The provider is called before any transaction. @throws Problem `provider_unreachable` */
export async function prepareFlow(deps: Deps, start: Start): Promise<PreparedFlow> {
  const { secrets, config, clock } = deps
  const { provider, browser, service, method, locale } = start
  const state = newToken()
  const nonce = generateRandomNonce()
  const codeVerifier = generateRandomCodeVerifier()
  const redirectUri = redirectUriOf(config.SSO_URL, provider.name)
  const redirectUrl = await provider.start({ redirectUri, state, nonce, codeVerifier, locale })

  return {
    redirectUrl,
    async save(tx, owner) {
      await tx.insert(providerFlows).values({
        stateHash: hashOf(state),
        browserHash: hashOf(browser),
        provider: provider.name,
        userId: owner?.userId ?? null,
        passwordFingerprint: owner ? fingerprintOf(owner.passwordHash) : null,
        nonce,
        sealedVerifier: secrets.seal(codeVerifier),
        service,
        method,
        locale,
        expiresAt: new Date(clock().getTime() + flowLife),
      })
    },
  }
}

interface Wanted {
  state: string
  browser: string
  provider: ProviderName
}

const isWanted = ({ state, browser, provider }: Wanted, now: Date) =>
  and(
    eq(providerFlows.stateHash, hashOf(state)),
    eq(providerFlows.browserHash, hashOf(browser)),
    eq(providerFlows.provider, provider),
    gt(providerFlows.expiresAt, now),
  )

/** Where the flow of an answer leads, to show its page. */
export async function flowDestination(db: Db, wanted: Wanted, now: Date) {
  const [flow] = await db
    .select({ service: providerFlows.service, method: providerFlows.method, userId: providerFlows.userId })
    .from(providerFlows)
    .where(isWanted(wanted, now))
  return flow
}

/**
 * Takes the flow of an answer, once: in the browser that began it, and only for its provider. Elsewhere it stays, so that nobody
 * can end another's sign-in.
 */
export async function takeFlow(db: Db, wanted: Wanted, now: Date) {
  const [flow] = await db.delete(providerFlows).where(isWanted(wanted, now)).returning()
  return flow
}
