import { randomUUID } from 'node:crypto'
import { ssoLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../features/accounts/accounts.tables.ts'
import { openPopup } from '../popup-wire.ts'
import * as providers from '../provider-wire.ts'
import { hashOf, newToken } from '../secrets.ts'
import { answerAt, type Person } from './person-at-provider.ts'
import { signInWith } from './provider-browser.ts'
import { type Browser, demoPassword, type World } from './world.ts'

export const linkToken = (world: World, userId: string) => world.tokens(userId, { claims: { purpose: 'account-link' } })
export const readToken = (world: World, userId: string) =>
  world.tokens(userId, { claims: { purpose: 'linked-accounts' } })

/** Opens the popup in which a provider is linked or unlinked. @returns its id */
export async function openLinkPopup(world: World, browser: Browser, userId: string): Promise<string> {
  const body = { accessToken: await linkToken(world, userId), purpose: 'account-link' as const }
  return (await browser.send(openPopup, { body })).body.popupId
}

interface Linking {
  userId: string
  person: Person
  provider?: ProviderName
  proof?: string
}

/** Links a provider in a browser, up to the answer, which is not yet redeemed. */
export async function answerOfLink(
  world: World,
  browser: Browser,
  { userId, person, provider = 'google', proof = demoPassword }: Linking,
) {
  if (!browser.cookies.has('sso_session')) await beSignedIn(world, browser, userId)
  const popupId = await openLinkPopup(world, browser, userId)
  const started = await browser.send(providers.startLink, { body: { popupId, provider, proof } })
  if (started.status !== 200) throw new Error(`not started: ${started.body.code}`)
  return { provider, answer: await answerAt(started.body.redirectUrl, person) }
}

/** As after a sign-in, of which the account's activity says nothing. */
export async function beSignedIn({ db, deps }: World, { cookies }: Browser, userId: string): Promise<void> {
  const token = newToken()
  const now = deps.clock()
  const times = { createdAt: now, updatedAt: now, expiresAt: new Date(now.getTime() + 3_600_000) }
  await db.insert(sessions).values({ id: randomUUID(), token: hashOf(token), userId, ...times })
  cookies.set('sso_session', token)
}

export async function link(world: World, browser: Browser, linking: Linking) {
  return browser.send(providers.finishProvider, { body: await answerOfLink(world, browser, linking) })
}

export async function linkedOf(world: World, userId: string) {
  const body = { accessToken: await readToken(world, userId) }
  return (await world.browser().send(ssoLinkedAccounts, { body })).body
}

/** An account that signs in with Google only. */
export async function accountOf(world: World, person: Person): Promise<string> {
  await signInWith(world.browser(), { provider: 'google', person })
  const [user] = await world.db.select().from(users).where(eq(users.email, person.email))
  if (!user) throw new Error('no account')
  return user.id
}
