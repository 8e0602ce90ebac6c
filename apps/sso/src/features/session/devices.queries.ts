import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { hashOf, newToken } from '../../secrets.ts'
import { credentialOf } from '../accounts/accounts.queries.ts'
import { attributes, cookieName } from './session.cookies.ts'

type Needs = Pick<Deps, 'db' | 'config' | 'secrets'>

const deviceSeconds = 31_536_000

interface Remembered {
  request: FastifyRequest
  reply: FastifyReply
  email: string
}

/**
 * Marks the browser as known to the account, so that wrong passwords of others do not delay its owner: where they have signed in,
 * or have redeemed an emailed link. It keeps the id under which it is known already. The cookie is signed and used for nothing else.
 */
export async function rememberDevice(deps: Needs, { request, reply, email }: Remembered): Promise<void> {
  const { config, secrets } = deps
  const account = await accountOf(deps, email)
  const id = knownId(deps, { request, email, account }) ?? newToken()
  const signature = secrets.sign('device', signedText({ email, id, account }))
  reply.setCookie(cookieName(config.SSO_URL, 'device'), `${hashOf(email)}.${id}.${signature}`, {
    ...attributes(config.SSO_URL),
    maxAge: deviceSeconds,
  })
}

/** The id of this browser, if the account knows it: until its password is another one, or the address has another account. */
export async function knownDevice(deps: Needs, request: FastifyRequest, email: string): Promise<string | undefined> {
  if (deviceOf(deps, request)?.owner !== hashOf(email)) return undefined
  return knownId(deps, { request, email, account: await accountOf(deps, email) })
}

interface Known {
  request: FastifyRequest
  email: string
  account: string
}

function knownId(deps: Needs, { request, email, account }: Known): string | undefined {
  const { owner, id, signature } = deviceOf(deps, request) ?? {}
  if (!id || !signature || owner !== hashOf(email)) return undefined
  return deps.secrets.isSignedBy('device', signedText({ email, id, account }), signature) ? id : undefined
}

function deviceOf({ config }: Needs, { cookies }: FastifyRequest) {
  const [owner, id, signature] = cookies[cookieName(config.SSO_URL, 'device')]?.split('.') ?? []
  return { owner, id, signature }
}

function signedText({ email, id, account }: { email: string; id: string; account: string }): string {
  return `${hashOf(email)}.${id}.${account}`
}

/** Which account an address has, and with which password; that of an address without one is empty. */
async function accountOf({ db }: Needs, email: string): Promise<string> {
  const { userId, passwordHash } = (await credentialOf(db, email)) ?? {}
  return userId === undefined ? '' : hashOf(`${userId}.${passwordHash ?? ''}`)
}
