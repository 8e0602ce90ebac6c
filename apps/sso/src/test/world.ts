import { randomUUID } from 'node:crypto'
import type { Endpoint, EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import type { ProblemDocument } from '@atrium/contract/problem.ts'
import { databaseOn, migrate, openDatabase } from '@atrium/server-kit/database.ts'
import { type Jobs, startJobs } from '@atrium/server-kit/jobs.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { fileDatabase, whenFileEnds } from '@atrium/server-kit/test-database.ts'
import { type Forwarder, newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import { asc, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { createLocalJWKSet, createRemoteJWKSet, exportJWK, generateKeyPair } from 'jose'
import { vi } from 'vitest'
import { createApp, startWork } from '../app.ts'
import { readSsoConfig, type SsoConfig } from '../config.ts'
import { migrationsFolder, migrationsSchema } from '../db/migrations.ts'
import type { Deps } from '../deps.ts'
import { newAccounts } from '../features/accounts/accounts.auth.ts'
import { createAccount } from '../features/accounts/accounts.writes.ts'
import { newHashing } from '../features/accounts/hashing.ts'
import { activity } from '../features/activity/activity.tables.ts'
import { type DelaySteps, newDelays } from '../features/delays/delays.writes.ts'
import { newProviders } from '../features/providers/providers.ts'
import { newRefusals } from '../features/refusals/refusals.writes.ts'
import { newSecrets } from '../secrets.ts'
import { popupTokens } from './popup-tokens.ts'

const publicUrl = 'http://localhost:3001'
const secret = 'a secret of the tests, long enough for anyone'
const logger = newLogger('test', 'silent')

/** One database per test file, cloned from a template with all tables. */
const database = () =>
  fileDatabase({
    template: 'atrium_test_sso',
    async migrate(url) {
      await migrate(url, migrationsFolder, migrationsSchema)
      const jobs = await newJobs(url)
      await jobs.stop()
    },
  })

/** Of the worlds of a file whose jobs stay on the queue: they share one, since each start takes connections. */
let sender: Promise<Jobs> | undefined
whenFileEnds(async () => {
  await (await sender)?.stop()
  sender = undefined
})

const newJobs = (databaseUrl: string) => startJobs({ databaseUrl, schema: 'sso_jobs', logger })

function senderOn(databaseUrl: string): Promise<Jobs> {
  sender ??= newJobs(databaseUrl)
  return sender
}

/** A page template without a bundle: tests only read its data. */
const template = '<html lang="en"><title>__TITLE__</title><script nonce="__NONCE__"></script><!--page-data--></html>'

interface WorldOptions {
  config?: Partial<SsoConfig>
  delays?: Partial<DelaySteps>
  /** Whether jobs run; otherwise they stay on the queue. */
  work?: boolean
  /** Settings of login providers: `GOOGLE_CLIENT_ID` … */
  settings?: Readonly<Record<string, string>>
  /** A forwarder to the database, for a test that breaks the connection. */
  forwarder?: Forwarder
  /** Where account-server publishes its keys, if one runs beside; otherwise tokens are signed by `tokens`. */
  accountKeysUrl?: string
}

/** A forwarder to the file's database. */
export async function databaseForwarder(): Promise<Forwarder> {
  return newForwarder(Number(new URL((await database()).url).port))
}

export const demoPassword = 'Tidy-harbour-77'
/** Everybody's, since each takes as long as a test's requests. */
const demoHash = newHashing().hash(demoPassword)
export const account = 'http://localhost:3000'

/** High enough that no test reaches a limit by accident: all of them have the same IP address. */
const generous: DelaySteps = {
  account: [{ points: 10_000, seconds: 60 }],
  device: [{ points: 10_000, seconds: 60 }],
  address: [{ points: 10_000, seconds: 60 }],
  email: [{ points: 10_000, seconds: 60 }],
  mailbox: [{ points: 10_000, seconds: 60 }],
  code: [{ points: 10_000, seconds: 60 }],
  siteCode: [{ points: 10_000, seconds: 60 }],
}

/** A server on the file's database, with a clock that can be advanced and an inbox. */
export async function newWorld({
  config = {},
  delays = {},
  work = false,
  settings = {},
  forwarder,
  accountKeysUrl,
}: WorldOptions = {}) {
  const { url: direct, pool } = await database()
  const url = forwarder ? throughForwarder(direct, forwarder) : direct
  const db = forwarder ? openDatabase({ url, size: 10, applicationName: 'test' }) : databaseOn(pool)
  const jobs = await (work ? newJobs(direct) : senderOn(direct))
  const hashing = newHashing()
  const keys = await generateKeyPair('EdDSA')
  const secrets = newSecrets(secret)
  let ahead = 0
  const clock = () => new Date(Date.now() + ahead)

  const read = readSsoConfig({ ...settings, DATABASE_URL: url, SSO_SECRET: secret })
  const deps: Deps = {
    db,
    jobs,
    logger,
    hashing,
    accounts: await newAccounts({ db, hashing, publicUrl, secret }),
    delays: newDelays(db, { ...generous, ...delays }),
    providers: newProviders(read.PROVIDERS),
    refusals: newRefusals({ db, logger, secrets, clock }),
    secrets,
    accountKeys: accountKeysUrl
      ? createRemoteJWKSet(new URL(accountKeysUrl))
      : createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'EdDSA', kid: 'test' }] }),
    clock,
    config: {
      ...read,
      SSO_SERVICES: [account, 'http://localhost:3002/cloud'],
      ...config,
    },
  }
  const app = await createApp({
    deps,
    logger,
    trustedProxies: [],
    requestsPerMinute: 1_000_000,
    // A busy machine is no busy server.
    maxEventLoopDelay: 0,
    web: { template, folder: undefined },
  })
  const emails: Email[] = []
  if (work) {
    await startWork(deps, async (message) => {
      emails.push(message)
    })
  }

  async function newUser(values: { email?: string; firstName?: string; lastName?: string } = {}) {
    const { email = `${randomUUID()}@example.test`, firstName = 'Ada', lastName = 'Lindqvist' } = values
    const passwordHash = await demoHash
    const id = await db.transaction((tx) =>
      createAccount(tx, deps.accounts, { email, firstName, lastName, locale: 'en-us', passwordHash }),
    )
    if (!id) throw new Error(`${email} has an account`)
    return { id, email }
  }

  return {
    app,
    db,
    deps,
    jobs,
    emails,
    newUser,
    tokens: popupTokens(keys.privateKey, { issuer: account, audience: publicUrl, clock: deps.clock }),
    browser: (address?: string) => newBrowser(app, address),
    /** Advances the clock. */
    wait(seconds: number) {
      ahead += seconds * 1000
    },
    /** The activity of an account, oldest first. */
    async acts(userId: string): Promise<string[]> {
      await deps.refusals.settled()
      const rows = await db.select().from(activity).where(eq(activity.userId, userId)).orderBy(asc(activity.id))
      return rows.map(({ action }) => action)
    },
    /** The email to an address whose subject contains these words. */
    emailTo: (email: string, words: string) =>
      vi.waitFor(
        () => {
          const found = emails.filter(({ to, subject }) => to === email && subject.includes(words)).at(-1)
          if (!found) throw new Error(`no email "${words}" to ${email}`)
          return found
        },
        { timeout: 60_000, interval: 50 },
      ),
    async [Symbol.asyncDispose]() {
      await app.close()
      if (work) await jobs.stop()
      if (forwarder) await db.$client.end()
    },
  }
}

export type World = Awaited<ReturnType<typeof newWorld>>

/** A visitor with cookies, at an address. */
function newBrowser(app: FastifyInstance, remoteAddress = '192.0.2.1') {
  const cookies = new Map<string, string>()

  const request = async (options: { method?: 'GET' | 'POST'; url: string; body?: object; headers?: object }) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await app.inject({
      method: options.method ?? 'GET',
      url: options.url,
      remoteAddress,
      ...(options.body && { payload: options.body }),
      headers: { ...(cookie !== '' && { cookie }), ...options.headers },
    })
    for (const { name, value, maxAge, expires } of reply.cookies) {
      const isGone = maxAge === 0 || (expires !== undefined && expires.getTime() <= Date.now())
      if (isGone) cookies.delete(name)
      else cookies.set(name, value)
    }
    return reply
  }

  return {
    cookies,
    get: (url: string, headers: object = {}) => request({ url, headers }),
    async send<Definition extends Endpoint>(
      endpoint: Definition,
      input: EndpointRequest<Definition>,
      headers: object = {},
    ) {
      const { body } = input as { body: object }
      const reply = await request({
        method: 'POST',
        url: endpoint.path,
        body,
        headers: { origin: publicUrl, ...headers },
      })
      const answer: EndpointReply<Definition> & Partial<ProblemDocument> = reply.json()
      return { status: reply.statusCode, body: answer, headers: reply.headers, cookies: reply.cookies }
    },
  }
}

export type Browser = ReturnType<typeof newBrowser>
