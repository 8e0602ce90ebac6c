import { randomUUID } from 'node:crypto'
import { added, addition, type Case } from './cases.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { until } from './stage.ts'
import type { Act } from './verdict.ts'

/** Something that a person asks, and acts that came before it. */
interface Scene {
  person: Person
  earlier: readonly Act[]
  wish: Act['wish']
  paymentMethodId: string
  ask(): Promise<Answer>
}

interface Kind {
  kind: string
  /** Of the call that the kind makes. */
  request: RegExp
  /** What `apply` writes, taken away from it by a lock. */
  applyLock: string
  prepare(stage: Stage): Promise<Scene>
}

/** Somebody who adds a card, and asks again with the same key. */
async function adding(stage: Stage, number?: string): Promise<Scene> {
  const person = await stage.person()
  const paymentMethodId = await stage.typed(number)
  const key = randomUUID()
  const ask = () => addition(stage, person, paymentMethodId, key)
  return { person, earlier: [], wish: 'add', paymentMethodId, ask }
}

/** Somebody with two cards, who changes the second. */
async function changing(
  stage: Stage,
  wish: 'remove' | 'default' | 'edit',
  question: { method: 'PUT' | 'DELETE'; path: string; body?: object },
): Promise<Scene> {
  const person = await stage.person()
  const earlier = [await added(stage, person), await added(stage, person)]
  const paymentMethodId = earlier[1]?.paymentMethodId ?? ''
  const path = `/account/cards/${paymentMethodId}/${question.path}`
  return { person, earlier, wish, paymentMethodId, ask: () => stage.ask(person, { ...question, path }) }
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

/** How the server is brought to a point, and held there. Answers what ends the hold. */
type Arrange = (stage: Stage, kind: Kind, person: Person) => Promise<Arranged>

interface Arranged {
  reached(): Promise<boolean>
  release(): Promise<unknown>
}

/** Takes a lock that the server then waits for. */
async function locking(stage: Stage, statement: string, values: readonly string[] = []): Promise<Arranged> {
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

/** Lets the provider do it and holds its answer, takes the lock, and lets the answer go. */
function lockingAfterTheCall(statementOf: (kind: Kind) => [statement: string, ...values: string[]]): Arrange {
  return async (stage, kind) => {
    stage.provider.holdBack({ request: kind.request, what: 'answer' })
    let lock: Arranged | undefined
    return {
      async reached() {
        if (!lock && stage.provider.isHolding()) {
          const [statement, ...values] = statementOf(kind)
          lock = await locking(stage, statement, values)
          stage.provider.letGo({ isLost: false })
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
      release: async () => stage.provider.letGo({ isLost: true }),
    }
  }
}

const lockMember = 'select 1 from account.members where id = $1 for update'

const points: readonly { point: string; arrangeFor(person: Person): Arrange }[] = [
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

/** The server dies at one point of an operation; the person asks once more. */
function killed(kind: Kind, { point, arrangeFor }: (typeof points)[number]): Case {
  return {
    name: `${kind.kind}, killed ${point}`,
    async run(stage) {
      const { person, earlier, wish, paymentMethodId, ask } = await kind.prepare(stage)
      const { reached, release } = await arrangeFor(person)(stage, kind, person)
      const asked = ask()
      await until(`${kind.kind}, ${point}`, reached)
      await stage.killServer()
      await release()
      const answers = [await asked, await ask()]
      return [...earlier, { person, wish, paymentMethodId, answers }]
    },
  }
}

/** Each kind of operation, killed at each point. The row of what follows by itself is written with what it follows. */
export const killCases: readonly Case[] = kinds.flatMap((kind) => points.map((point) => killed(kind, point)))
