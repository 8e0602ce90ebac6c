import type { ProviderName } from '@atrium/contract/login-providers.ts'
import * as wire from '../provider-wire.ts'
import { answerAt, type Person } from './person-at-provider.ts'
import type { Browser } from './world.ts'

interface SignIn {
  provider: ProviderName
  person: Person
  service?: string
  method?: 'GET' | 'POST'
}

/** Begins a sign-in in a browser, and answers at the stand-in. @returns the answer, not yet redeemed */
export async function answerOf(browser: Browser, { provider, person, ...start }: SignIn): Promise<string> {
  const started = await browser.send(wire.startProvider, { body: { provider, ...start } })
  if (started.status !== 200) throw new Error(`not started: ${started.body.code}`)
  return answerAt(started.body.redirectUrl, person)
}

/** Signs in with a provider, from the button to the redeemed answer. */
export async function signInWith(browser: Browser, signIn: SignIn) {
  const answer = await answerOf(browser, signIn)
  return browser.send(wire.finishProvider, { body: { provider: signIn.provider, answer } })
}

/** The id of the pending identity of a reply. */
export function pendingIn({ body }: Awaited<ReturnType<typeof signInWith>>): string {
  if (body.step !== 'confirm') throw new Error(`not a new identity: ${JSON.stringify(body)}`)
  return body.pendingId
}
