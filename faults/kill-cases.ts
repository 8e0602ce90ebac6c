import { randomUUID } from 'node:crypto'
import { addCard, type Case, postCard } from './cases.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { waitUntil } from './stage.ts'
import type { CardChange } from './verdict.ts'

/** A change that a person requests, and the changes made before it. */
interface Scene {
  person: Person
  earlier: readonly CardChange[]
  action: CardChange['action']
  paymentMethodId: string
  send(): Promise<Answer>
}

/** A kind of operation, at whose points a server is killed. */
export interface Killed {
  kind: string
  /** Matches the provider call that the kind makes. */
  request: RegExp
  /** Blocks what `apply` writes. */
  applyLock: string
}

interface Kind extends Killed {
  prepare(stage: Stage): Promise<Scene>
}

/** Adds a card; each request has the same key. */
async function adding(stage: Stage, number?: string): Promise<Scene> {
  const person = await stage.person()
  const paymentMethodId = await stage.createPaymentMethod(number)
  const key = randomUUID()
  const send = () => postCard(stage, person, paymentMethodId, key)
  return { person, earlier: [], action: 'add', paymentMethodId, send }
}

/** Changes the second of two cards. */
async function changing(
  stage: Stage,
  action: 'remove' | 'default' | 'edit',
  request: { method: 'PUT' | 'DELETE'; path: string; body?: object },
): Promise<Scene> {
  const person = await stage.person()
  const [first, second] = [await addCard(stage, person), await addCard(stage, person)]
  const { paymentMethodId } = second
  // A removed card is not on file any more, so its addition is not judged.
  const earlier = action === 'remove' ? [first] : [first, second]
  const path = `/account/cards/${paymentMethodId}/${request.path}`
  return { person, earlier, action, paymentMethodId, send: () => stage.send(person, { ...request, path }) }
}

const activity = 'lock table account.activity in exclusive mode'
const operations = 'lock table account.provider_operations in share row exclusive mode'

const kinds: readonly Kind[] = [
  {
    kind: 'customer.create',
    request: /^POST \/v1\/customers /,
    applyLock: 'lock table account.provider_customers in share row exclusive mode',
    prepare: (stage) => adding(stage),
  },
  { kind: 'card.add', request: /^POST \/v1\/setup_intents /, applyLock: activity, prepare: (stage) => adding(stage) },
  {
    kind: 'card.set_default (first card)',
    request: /^POST \/v1\/customers\/\w+ /,
    applyLock: operations,
    prepare: (stage) => adding(stage),
  },
  {
    kind: 'card.cancel_setup',
    request: /^POST \/v1\/setup_intents\/\w+\/cancel /,
    applyLock: operations,
    prepare: (stage) => adding(stage, '4000000000000002'),
  },
  {
    kind: 'card.update',
    request: /^POST \/v1\/payment_methods\/\w+ /,
    applyLock: activity,
    prepare: (stage) =>
      changing(stage, 'edit', { method: 'PUT', path: '', body: { country: 'DE', city: 'Berlin', zip: '10623' } }),
  },
  {
    kind: 'card.set_default',
    request: /^POST \/v1\/customers\/\w+ /,
    applyLock: activity,
    prepare: (stage) => changing(stage, 'default', { method: 'PUT', path: 'default/' }),
  },
  {
    kind: 'card.remove',
    request: /^POST \/v1\/payment_methods\/\w+\/detach /,
    applyLock: activity,
    prepare: (stage) => changing(stage, 'remove', { method: 'DELETE', path: '' }),
  },
]

/** Makes the server stop at a point. @returns when it got there, and what releases it */
type Arrange = (stage: Stage, kind: Killed, person: Person) => Promise<Arranged>

export interface Arranged {
  reached(): Promise<boolean>
  release(): Promise<unknown>
}

/** Takes a lock that the server will wait for. */
export async function locking(stage: Stage, statement: string, values: readonly string[] = []): Promise<Arranged> {
  const client = await stage.pool.connect()
  await client.query('begin')
  await client.query(statement, [...values])
  const waiting = "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock'"
  return {
    reached: async () => ((await stage.pool.query<{ count: number }>(waiting)).rows[0]?.count ?? 0) > 0,
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}

/** Holds the provider's answer until the lock is taken, so that the server stops after the call. */
function lockingAfterTheCall(statementOf: (kind: Killed) => [statement: string, ...values: string[]]): Arrange {
  return async (stage, kind) => {
    stage.provider.holdBack({ request: kind.request, what: 'answer' })
    let lock: Arranged | undefined
    return {
      async reached() {
        if (!lock && stage.provider.isHolding()) {
          const [statement, ...values] = statementOf(kind)
          lock = await locking(stage, statement, values)
          stage.provider.release({ isLost: false })
        }
        return (await lock?.reached()) ?? false
      },
      release: async () => lock?.release(),
    }
  }
}

function holding(what: 'request' | 'answer'): Arrange {
  return async (stage, { request }) => {
    stage.provider.holdBack({ request, what })
    return {
      reached: async () => stage.provider.isHolding(),
      release: async () => stage.provider.release({ isLost: true }),
    }
  }
}

const lockMember = 'select 1 from account.members where id = $1 for update'

/** Where an operation can be interrupted. */
export const points: readonly { point: string; arrangeFor(person: Person): Arrange }[] = [
  {
    point: 'before the row',
    arrangeFor:
      ({ id }) =>
      (stage) =>
        locking(stage, lockMember, [id]),
  },
  { point: 'after the row', arrangeFor: () => holding('request') },
  { point: 'after the call', arrangeFor: () => holding('answer') },
  { point: 'before apply', arrangeFor: ({ id }) => lockingAfterTheCall(() => [lockMember, id]) },
  { point: 'in apply', arrangeFor: () => lockingAfterTheCall(({ applyLock }) => [applyLock]) },
]

/** The server is killed at one point of an operation; then the person retries. */
function killCase(kind: Kind, { point, arrangeFor }: (typeof points)[number]): Case {
  return {
    name: `${kind.kind}, killed ${point}`,
    async run(stage) {
      const { person, earlier, action, paymentMethodId, send } = await kind.prepare(stage)
      const { reached, release } = await arrangeFor(person)(stage, kind, person)
      const pending = send()
      await waitUntil(`${kind.kind}, ${point}`, reached)
      await stage.killServer()
      await release()
      const answers = [await pending, await send()]
      return [...earlier, { person, action, paymentMethodId, answers }]
    },
  }
}

/** Each kind of operation, killed at each point. */
export const killCases: readonly Case[] = kinds.flatMap((kind) => points.map((point) => killCase(kind, point)))
