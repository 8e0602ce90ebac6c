import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { newPool } from '@atrium/server-kit/database.ts'
import { isDatabaseUnavailable } from '@atrium/server-kit/database-failure.ts'
import type pg from 'pg'
import Stripe from 'stripe'
import { hashOf, newToken } from '../apps/account-server/src/features/session/session.rules.ts'
import { trialShopSecret } from '../scripts/start/settings.ts'
import { buildPages } from '../scripts/start/web-build.ts'
import { newTemporaryFolder } from '../scripts/test/temporary-folder.ts'
import { freePort, recordingProxy } from './recording-proxy.ts'
import { openStageDatabase } from './stage-database.ts'
import { killProgram, startProgram, stopProgram } from './stage-programs.ts'

export const webhookSecret = 'whsec_sandboxsandboxsandbox'

const paypalWebhookId = 'SANDBOXWEBHOOK017'

export interface Person {
  id: string
  email: string
  cookie: string
}

export interface Answer {
  /** 0 if the connection ended without an answer. */
  status: number
  code: string
  body: Readonly<Record<string, unknown>>
}

interface Fault {
  kind: 'delay' | 'reset' | 'error' | 'html' | 'rate_limit' | 'drop' | 'reorder' | 'repeat'
  pattern: string
  times?: number
  milliseconds?: number
}

export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * Starts database, providers, sso and account-server as processes, and records the traffic between them.
 * @param settings of the programs, beside the stage's own
 * @param isDirect whether they talk to each other and to the database without the stage in between, which is faster
 */
export async function openStage(settings: NodeJS.ProcessEnv = {}, { isDirect = false } = {}) {
  await buildPages()
  const directory = await newTemporaryFolder('faults')
  const database = await openStageDatabase(directory)
  const [account, sandbox] = [await freePort(), await freePort()]
  const [sso, smtp] = [await freePort(), await freePort()]
  const [toAccount, toProvider] = [await recordingProxy(account), await recordingProxy(sandbox)]
  const sandboxUrl = `http://localhost:${sandbox}`
  const providerUrl = isDirect ? sandboxUrl : toProvider.url
  const url = isDirect ? `http://localhost:${account}` : toAccount.url
  const databaseUrl = isDirect ? database.directUrl : database.url
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ATRIUM_PORT: String(account),
    ATRIUM_SANDBOX_PORT: String(sandbox),
    ATRIUM_SSO_PORT: String(sso),
    SANDBOX_SMTP_PORT: String(smtp),
    SMTP_URL: `smtp://localhost:${smtp}`,
    PUBLIC_URL: url,
    STRIPE_API_URL: providerUrl,
    STRIPE_WEBHOOK_SECRETS: webhookSecret,
    SANDBOX_URL: providerUrl,
    PAYPAL_API_URL: providerUrl,
    PAYPAL_WEBHOOK_ID: paypalWebhookId,
    SHOP_SIGNING_SECRET: trialShopSecret,
    PAYPAL_ROOTS: `${sandboxUrl}/paypal/certs/root.pem`,
    CARD_ATTEMPTS_PER_HOUR: '1000',
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'debug',
    ...settings,
  }
  const log: Buffer[] = []
  const quiet = { ...env, LOG_LEVEL: 'silent' }
  let sandboxProgram = await startProgram('sandbox', quiet)
  const signOn = await startProgram('sso', quiet)
  let server = await startProgram('account-server', env, log)
  const pool = newPool({ connectionString: databaseUrl, max: 20 })
  const stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port: sandbox, protocol: 'http', telemetry: false })
  const control = controller(`${sandboxUrl}/cards/control`)
  const paypalControl = controller(`${sandboxUrl}/paypal/control`)
  await paypalControl('PUT', 'webhooks/', {
    url: `${url}/webhooks/paypal/`,
    id: paypalWebhookId,
    eventTypes: ['*'],
  })
  await control('PUT', 'webhook-endpoints/', {
    url: `${url}/webhooks/stripe/`,
    secret: webhookSecret,
    enabledEvents: ['*'],
  })

  return {
    /** Of account-server. */
    url,
    ssoUrl: `http://localhost:${sso}`,
    sandboxUrl,
    /** The environment of the programs. */
    env,
    database,
    /** How many programs exited on their own. */
    deaths: () =>
      [sandboxProgram, signOn, server].filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)
        .length,
    pool,
    query: retryingQuery(pool),
    stripe,
    injectFault: ({ times = 1, milliseconds = 0, ...fault }: Fault) =>
      control('POST', 'faults/', { ...fault, times, milliseconds }),
    clearFaults: () => control('DELETE', 'faults/'),
    /** The control of the sandbox's PayPal. */
    paypalControl,
    /** The recording proxies in front of account-server and of the providers. */
    account: toAccount,
    provider: toProvider,

    person: () => newPerson(pool),
    /** A session of a member's. */
    signIn: (member: Pick<Person, 'id' | 'email'>) => signIn(pool, member),
    async createPaymentMethod(number = '4242424242424242'): Promise<string> {
      const card = { number, exp_month: 12, exp_year: 2034, cvc: '123' }
      return (await stripe.paymentMethods.create({ type: 'card', card })).id
    },
    send: sender(url),

    /** Kills account-server with SIGKILL and starts it again. */
    async killServer(): Promise<void> {
      await killProgram(server)
      server = await startProgram('account-server', env, log)
    },
    /** The same with the sandbox: both providers and the mail server. */
    async killSandbox(): Promise<void> {
      await killProgram(sandboxProgram)
      sandboxProgram = await startProgram('sandbox', quiet)
    },
    /** Completes or fails the bank's authentication, as the cardholder would. */
    async answerBank(intentId: string, answer: 'complete' | 'fail'): Promise<void> {
      const { next_action: action } = await stripe.setupIntents.retrieve(intentId)
      const token = /authenticate\/(\w+)/.exec(JSON.stringify(action))?.[1]
      await fetch(`${sandboxUrl}/cards/authenticate/${token}`, {
        method: 'POST',
        headers: { origin: providerUrl },
        body: new URLSearchParams({ answer }),
        redirect: 'manual',
      })
    },
    /** The log of account-server, and its traffic. */
    records: () => ({
      log: Buffer.concat(log).toString('utf8'),
      traffic: [...toAccount.recorded, ...toProvider.recorded].map(String).join('\n'),
    }),
    async close(): Promise<void> {
      for (const program of [server, sandboxProgram, signOn]) await stopProgram(program)
      await pool.end()
      await toAccount.close()
      await toProvider.close()
      await database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Retries while the database is unavailable: the next case may have broken it on purpose. */
function retryingQuery(pool: pg.Pool) {
  return async <Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> => {
    for (;;) {
      try {
        return await pool.query<Row>(text, values)
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        await pause(200)
      }
    }
  }
}

function controller(controlUrl: string) {
  return async (method: string, path: string, body?: object): Promise<void> => {
    const reply = await fetch(`${controlUrl}/${path}`, {
      method,
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`the sandbox answered ${reply.status}: ${await reply.text()}`)
  }
}

/** Creates a member who is signed in. */
async function newPerson(pool: pg.Pool): Promise<Person> {
  const [id, email] = [randomUUID(), `${randomUUID()}@example.test`]
  await pool.query(
    `insert into account.members (id, email, email_verified, first_name, last_name, created_at)
     values ($1, $2, true, 'Ada', 'Lindqvist', now())`,
    [id, email],
  )
  return signIn(pool, { id, email })
}

async function signIn(pool: pg.Pool, { id, email }: Pick<Person, 'id' | 'email'>): Promise<Person> {
  const token = newToken()
  await pool.query(
    `insert into account.sessions (token_hash, member_id, subject, ticket_hash, created_at, seen_at, fresh_at)
     values ($1, $2, $3, $1, now(), now(), now() + interval '1 day')`,
    [hashOf(token), id, `subject-${id}`],
  )
  return { id, email, cookie: `atrium_session=${token}` }
}

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
  key?: string
}

/** Sends a request as the page does. */
function sender(url: string) {
  return async (person: Person, { method, path, body, key }: Call): Promise<Answer> => {
    try {
      const reply = await fetch(url + path, {
        method,
        headers: {
          cookie: person.cookie,
          origin: url,
          ...(body && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      })
      const answer: Record<string, unknown> = JSON.parse(await reply.text())
      return { status: reply.status, code: String(answer.code ?? ''), body: answer }
    } catch {
      return { status: 0, code: '', body: {} }
    }
  }
}

/** @throws Error when the condition is not met in time */
export async function waitUntil(what: string, holds: () => Promise<boolean>, seconds = 20): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${seconds} s: ${what}`)
    await pause(20)
  }
}
