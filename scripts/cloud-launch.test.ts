import { randomUUID } from 'node:crypto'
import { chooseRegion, openCloud, personalId } from '@atrium/contract/cloud.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cloudTicketFetcher } from '../apps/account-server/src/outside/cloud-tickets.ts'
import { arrive, sessionCookieOf } from '../apps/account-server/src/test/sign-in.ts'
import { newWorld as newAccountWorld } from '../apps/account-server/src/test/world.ts'
import { demoPassword, newWorld as newSsoWorld } from '../apps/sso/src/test/world.ts'
import * as sso from '../apps/sso/src/wire.ts'

const [us, eu] = ['http://localhost:3002/cloud/us', 'http://localhost:3002/cloud/eu']

const ServiceResponse = z.object({
  serviceResponse: z.object({
    authenticationSuccess: z.object({ user: z.string(), attributes: z.object({ email: z.string() }) }).optional(),
    authenticationFailure: z.object({ code: z.string() }).optional(),
  }),
})

/** account-server and sso, each with its database, who reach each other over HTTP as two programs do. */
async function newPair() {
  const account = await newAccountWorld({
    settings: { CLOUD_URL_US: us, CLOUD_URL_EU: eu },
    now: new Date().toISOString(),
  })
  const accountAddress = await account.app.listen({ port: 0, host: '127.0.0.1' })
  const accountKeysUrl = `${accountAddress}/.well-known/jwks.json`
  const signOn = await newSsoWorld({ config: { SSO_CLOUD_SERVICES: [us] }, work: true, accountKeysUrl })
  const ssoAddress = await signOn.app.listen({ port: 0, host: '127.0.0.1' })
  account.deps.fetchCloudTicket = cloudTicketFetcher({ SSO_URL: ssoAddress })

  async function signIn() {
    const { id, email } = await signOn.newUser({ firstName: 'Mina', lastName: 'Haddad' })
    const browser = signOn.browser()
    const { nonce } = await arrive(account)
    const service = `http://localhost:3000/account?signin=${nonce}`
    const { body } = await browser.send(sso.signIn, { body: { email, password: demoPassword, service } })
    const ticket = new URL(body.redirectUrl).searchParams.get('ticket') ?? ''
    expect((await validate(service, ticket)).authenticationSuccess?.user).toBe(id)
    account.tickets.set(ticket, { user: id, attributes: { email, emailVerified: 'true' } })
    const url = `/account?signin=${nonce}&ticket=${ticket}`
    const back = await account.request({ url, cookies: { atrium_sign_in: nonce } })
    return { id, email, browser, member: { cookie: `atrium_session=${sessionCookieOf(back)}` } }
  }

  async function validate(service: string, ticket: string) {
    const query = new URLSearchParams({ service, ticket, format: 'JSON' })
    const reply = await fetch(`${ssoAddress}/cas/p3/serviceValidate?${query}`)
    return ServiceResponse.parse(await reply.json()).serviceResponse
  }

  return {
    account,
    signOn,
    signIn,
    validate,
    async launch(member: { cookie: string }) {
      const { body } = await account.as(member).send(openCloud, { body: { userTypeId: personalId } })
      return new URL(body.url).searchParams
    },
    async [Symbol.asyncDispose]() {
      await account[Symbol.asyncDispose]()
      await signOn[Symbol.asyncDispose]()
    },
  }
}

test('who is signed in at the account page is signed in at the cloud service, and nobody else', async () => {
  await using pair = await newPair()
  const [mina, other] = [await pair.signIn(), await pair.signIn()]
  for (const { member } of [mina, other]) await pair.account.as(member).send(chooseRegion, { body: { region: 'us' } })

  const launched = await pair.launch(mina.member)
  const service = launched.get('casService') ?? ''
  const { authenticationSuccess } = await pair.validate(service, launched.get('ticket') ?? '')
  expect([service, authenticationSuccess?.user, authenticationSuccess?.attributes.email]).toEqual([
    us,
    mina.id,
    mina.email,
  ])
  const second = await pair.validate(service, launched.get('ticket') ?? '')
  expect(second.authenticationFailure?.code).toBe('INVALID_TICKET')

  const [one, two] = await Promise.all([pair.launch(other.member), pair.launch(other.member)])
  expect(one.get('ticket')).not.toBe(two.get('ticket'))
  for (const twice of [one, two]) {
    const answer = await pair.validate(us, twice.get('ticket') ?? '')
    expect(answer.authenticationSuccess?.user).toBe(other.id)
  }
})

test('a session that ended at the single sign-on, another region, and a session that it does not know give no ticket', async () => {
  await using pair = await newPair()
  const [mina, other] = [await pair.signIn(), await pair.signIn()]
  await pair.account.as(mina.member).send(chooseRegion, { body: { region: 'us' } })
  expect((await pair.launch(mina.member)).get('ticket')).toMatch(/^ST-/)
  await mina.browser.get('/cas/logout')
  const ended = await pair.launch(mina.member)
  expect([ended.get('ticket'), ended.get('casService')]).toEqual([null, us])

  // Only the one in the US is registered.
  await pair.account.as(other.member).send(chooseRegion, { body: { region: 'eu' } })
  expect((await pair.launch(other.member)).has('ticket')).toBe(false)

  const unknown = await pair.account.member({ email: `${randomUUID()}@example.test` })
  await pair.account.as(unknown).send(chooseRegion, { body: { region: 'us' } })
  expect((await pair.launch(unknown)).has('ticket')).toBe(false)
})
