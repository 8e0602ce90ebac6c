import { randomInt, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Endpoint, EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import { idempotencyHeader } from '@atrium/contract/problem.ts'
import { databaseOn, migrate, openDatabase, type Tx } from '@atrium/server-kit/database.ts'
import { startJobs } from '@atrium/server-kit/jobs.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { fileDatabase } from '@atrium/server-kit/test-database.ts'
import { type Forwarder, newForwarder, throughForwarder } from '@atrium/server-kit/test-forwarder.ts'
import type { InjectOptions } from 'fastify'
import { queues, startWork } from '../app.ts'
import { callLimits } from '../call-limits.ts'
import { type AccountConfig, readAccountConfig } from '../config.ts'
import { members } from '../db/members.tables.ts'
import type { Deps } from '../deps.ts'
import { newRenderer, type RenderInvoice } from '../features/orders/invoice-pdf/renderer.ts'
import { hashOf, newToken } from '../features/session/session.rules.ts'
import { sessions } from '../features/session/session.tables.ts'
import type { CasAnswer } from '../outside/cas-xml.ts'
import type { Pages } from '../page/pages.ts'
import type { Reply } from './reply.ts'
import { leaseApp } from './shared-apps.ts'
import { unlimitedCalls } from './unlimited-calls.ts'

const publicUrl = 'http://localhost:3000'

/** What a browser says of a call of our page. */
const ownPage = { origin: publicUrl, 'sec-fetch-site': 'same-origin' }

/** One database per test file, migrated once per run. */
const database = () =>
  fileDatabase({
    template: 'atrium_test_account',
    migrate: (url) => migrate(url, join(import.meta.dirname, '../../migrations'), 'account'),
  })

export interface WorldOptions {
  /** Initial time of the clock. */
  now?: string
  settings?: NodeJS.ProcessEnv
  logger?: ReturnType<typeof newLogger>
  /** Whether jobs are run; otherwise they are recorded in `sent`. */
  work?: boolean
  /** A connection to the database that the test can disturb. */
  forwarder?: Forwarder
  /** Number of connections. */
  poolSize?: number
  renderInvoice?: RenderInvoice
  /** Whether no other test's requests have reached its server. */
  hasOwnApp?: boolean
  /** The mail server, if jobs are run; what it takes is in `emails`. Throws what it refuses. */
  mailServer?: (message: Email) => void
}

/** A forwarder to the file's database. */
export async function databaseForwarder(): Promise<Forwarder> {
  return newForwarder(Number(new URL((await database()).url).port))
}

interface SentJob {
  queue: string
  data: object
}

export interface TestMember {
  id: string
  email: string
  cookie: string
}

const silent = newLogger('test', 'silent')

const usualSettings = { LOG_LEVEL: 'silent', REQUESTS_PER_MINUTE: '100000', SUPPORT_ROLE: 'roles:support' }

/** A server on the file's database, with a clock that does not advance by itself. */
export async function newWorld({
  now = '2026-06-01T09:30:00Z',
  settings = {},
  logger = silent,
  hasOwnApp = false,
  work = false,
  forwarder,
  poolSize,
  renderInvoice = renderer,
  mailServer = () => undefined,
}: WorldOptions = {}) {
  const { url: direct, pool } = await database()
  const url = forwarder ? throughForwarder(direct, forwarder) : direct
  const isOwn = forwarder !== undefined || poolSize !== undefined
  const db = isOwn ? openDatabase({ url, size: poolSize ?? 10, applicationName: 'test' }) : databaseOn(pool)
  const config = readAccountConfig({ DATABASE_URL: url, ...usualSettings, ...settings })
  let time = new Date(now)
  /** The single sign-on's answers to tickets. */
  const tickets = new Map<string, CasAnswer>()
  const asked: { ticket: string; service: string; renew?: boolean }[] = []
  /** The files at the vendor's invoice addresses. */
  const invoiceFiles = new Map<string, Buffer>()

  const sent: SentJob[] = []
  const emails: Email[] = []
  const worked = work ? await startJobs({ databaseUrl: url, schema: 'account_jobs', queues, logger }) : undefined
  const addJob = async (_tx: Tx, queue: string, data: object) => {
    sent.push({ queue, data })
  }
  const jobs = worked ?? { send: addJob, sendLater: addJob }

  const unlimited = unlimitedCalls()
  const deps: Deps = {
    config,
    db,
    logger,
    jobs,
    clock: () => time,
    wallClock: () => time,
    limitCalls: callLimits(db),
    async validateTicket(ticket, service, { renew } = {}) {
      asked.push({ ticket, service, ...(renew && { renew }) })
      const answer = tickets.get(ticket)
      tickets.delete(ticket)
      return answer ?? { failure: 'refused', detail: 'INVALID_TICKET' }
    },
    ...unlimited.watch(config, { renderInvoice, fetchInvoiceFile: async (url) => invoiceFiles.get(url) }),
    pages: plainPages,
  }
  // Of what counts requests, and of connections that are disturbed, nobody else's may count.
  const isShared = !isOwn && logger === silent && settings.REQUESTS_PER_MINUTE === undefined && !hasOwnApp
  const lease = await leaseApp({ deps, watch: unlimited.watchRequest }, isShared ? settings : null)
  const { app } = lease
  if (worked) {
    await startWork(worked, deps, async (message) => {
      mailServer(message)
      emails.push(message)
    })
  }

  async function member(values: Partial<typeof members.$inferInsert> = {}): Promise<TestMember> {
    const email = values.email ?? `${randomUUID()}@example.test`
    const [row] = await db
      .insert(members)
      .values({ emailVerified: true, firstName: 'Ada', lastName: 'Lindqvist', createdAt: time, ...values, email })
      .returning()
    if (!row) throw new Error('no member')
    return { id: row.id, email, cookie: await session(row.id) }
  }

  async function session(memberId: string, ticket = `ST-${randomUUID()}`): Promise<string> {
    const token = newToken()
    await db.insert(sessions).values({
      tokenHash: hashOf(token),
      memberId,
      subject: `subject-${memberId}`,
      ticketHash: hashOf(ticket),
      ...{ createdAt: time, freshAt: time, seenAt: time },
    })
    return `atrium_session=${token}`
  }

  async function send<Definition extends Endpoint>(
    caller: Pick<TestMember, 'cookie'> | undefined,
    endpoint: Definition,
    input: EndpointRequest<Definition>,
    headers: Readonly<Record<string, string>> = ownPage,
    remoteAddress = '127.0.0.1',
  ): Promise<Reply<EndpointReply<Definition>>> {
    const { params, query, body } = input as { params?: object; query?: Record<string, string>; body?: object }
    const path = Object.entries(params ?? {}).reduce(
      (filled, [name, value]) => filled.replace(`:${name}`, encodeURIComponent(String(value))),
      endpoint.path as string,
    )
    const reply = await app.inject({
      method: endpoint.method,
      url: path,
      ...(query && { query }),
      ...(body && { payload: body }),
      headers: { ...headers, ...(caller && { cookie: caller.cookie }) },
      remoteAddress,
    })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }

  return {
    app,
    config: config satisfies AccountConfig,
    db,
    deps,
    tickets,
    asked,
    invoiceFiles,
    /** Sent jobs, if jobs are not run. */
    sent,
    /** Sent emails, if jobs are run. */
    emails,
    member,
    session,
    /** Sets the clock. */
    at(moment: string | Date) {
      time = new Date(moment)
    },
    as: (caller: Pick<TestMember, 'cookie'>) => ({
      /** @param key idempotency key of the request, as the page generates one per dialog */
      send: <Definition extends Endpoint>(endpoint: Definition, input: EndpointRequest<Definition>, key?: string) =>
        send(caller, endpoint, input, { ...ownPage, ...(key !== undefined && { [idempotencyHeader]: key }) }),
    }),
    visitor: {
      send: <Definition extends Endpoint>(endpoint: Definition, input: EndpointRequest<Definition>) =>
        send(undefined, endpoint, input),
    },
    /** Calls as a program that is not a browser: without cookie or Origin. */
    device: <Definition extends Endpoint>(
      endpoint: Definition,
      input: EndpointRequest<Definition>,
      address = randomAddress(),
    ) => send(undefined, endpoint, input, {}, address),
    request: (options: InjectOptions) => app.inject(options),
    async [Symbol.asyncDispose]() {
      await lease.release()
      await worked?.stop()
      if (isOwn) await db.$client.end()
      unlimited.expectNone()
    },
  }
}

/** One thread for all worlds of a file. Its limit ends what hangs: on a busy machine the first document takes long. */
const renderer = newRenderer({ timeoutMs: 120_000 })

/** The page's data without markup. */
const plainPages: Pages = {
  async send(reply, { data, locale }) {
    return reply.header('content-type', 'application/json').send({ data, locale: locale.code })
  },
}

/** A random address per device, so that tests do not reach limits by accident. */
function randomAddress(): string {
  return `10.${[1, 2, 3].map(() => randomInt(256)).join('.')}`
}
