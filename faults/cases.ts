import { randomUUID } from 'node:crypto'
import { ledgerOf } from './ledger.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { waitUntil } from './stage.ts'
import type { CardChange } from './verdict.ts'

export interface Case {
  name: string
  /** Runs with `--short` too. */
  isShort?: true
  run(stage: Stage, times: number): Promise<CardChange[]>
}

const asksBank = '4000002760003184'

/** Sends the request that puts a card on file. */
export function postCard(
  stage: Stage,
  person: Person,
  paymentMethodId: string,
  key: string = randomUUID(),
): Promise<Answer> {
  return stage.send(person, { method: 'POST', path: '/account/cards/setup-intents/', body: { paymentMethodId }, key })
}

/** Puts a card on file. */
export async function addCard(stage: Stage, person: Person, number?: string): Promise<CardChange> {
  const paymentMethodId = await stage.createPaymentMethod(number)
  return { person, action: 'add', paymentMethodId, answers: [await postCard(stage, person, paymentMethodId)] }
}

/** Adds a card `times` times, each for a new person and with the fault injected. */
function faultWhileAdding(name: string, fault: Parameters<Stage['injectFault']>[0], isShort?: true): Case {
  return {
    name,
    ...(isShort && { isShort }),
    async run(stage, times) {
      const changes: CardChange[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const paymentMethodId = await stage.createPaymentMethod()
        await stage.injectFault(fault)
        changes.push({
          person,
          action: 'add',
          paymentMethodId,
          answers: [await postCard(stage, person, paymentMethodId)],
        })
        await stage.clearFaults()
      }
      return changes
    },
  }
}

/** The server is killed at one point of putting a card on file; then the person retries with the same key. */
function killCase(name: string, arrange: (stage: Stage, person: Person) => Promise<Arranged>, isShort?: true): Case {
  return {
    name: `killed ${name}`,
    ...(isShort && { isShort }),
    async run(stage) {
      const person = await stage.person()
      const paymentMethodId = await stage.createPaymentMethod()
      const key = randomUUID()
      const { reached, release } = await arrange(stage, person)
      const pending = postCard(stage, person, paymentMethodId, key)
      await waitUntil(name, reached)
      await stage.killServer()
      await release()
      const answers = [await pending, await postCard(stage, person, paymentMethodId, key)]
      return [{ person, action: 'add', paymentMethodId, answers }]
    },
  }
}

interface Arranged {
  reached(): Promise<boolean>
  release(): Promise<unknown>
}

async function count(stage: Stage, statement: string, person: Person): Promise<number> {
  return (await stage.pool.query<{ count: number }>(statement, [person.id])).rows[0]?.count ?? 0
}

const additions = "select count(*)::int from account.provider_operations where kind = 'card.add' and member_id = $1"

const killings: readonly Case[] = [
  killCase(
    'after the provider added the card, before it answered',
    async (stage, person) => {
      await stage.injectFault({ kind: 'delay', pattern: '/setup_intents', milliseconds: 4000 })
      return { reached: async () => (await cardsOf(stage, person)) > 0, release: stage.clearFaults }
    },
    true,
  ),
  killCase('after it is stored, before it is answered', async (stage, person) => ({
    reached: async () => (await count(stage, `${additions} and resolved_at is not null`, person)) > 0,
    release: async () => undefined,
  })),
]

async function cardsOf(stage: Stage, person: Person): Promise<number> {
  return (await ledgerOf(stage, person)).cards.length
}

const providerFaults: readonly Case[] = [
  faultWhileAdding('timeout after the provider added the card', {
    kind: 'delay',
    pattern: '/setup_intents',
    milliseconds: 11_000,
  }),
  faultWhileAdding('connection reset after the card was added', { kind: 'reset', pattern: '/setup_intents' }, true),
  faultWhileAdding('500 after the card was added', { kind: 'error', pattern: '/setup_intents' }, true),
  faultWhileAdding('HTML instead of JSON after the card was added', { kind: 'html', pattern: '/setup_intents' }),
  faultWhileAdding('429', { kind: 'rate_limit', pattern: '/setup_intents', times: 5 }),
  faultWhileAdding('only 500 for a while', { kind: 'error', pattern: '/setup_intents*', times: 20 }),
  faultWhileAdding('only resets for a while', { kind: 'reset', pattern: '*', times: 20 }),
  faultWhileAdding('500 after the customer was created', { kind: 'error', pattern: '/customers', times: 3 }),
]

/** The cardholder authenticates on a page that never reports back, so only the provider's events can tell the outcome. */
function faultAfterAuthentication(name: string, fault: Parameters<Stage['injectFault']>[0]): Case {
  return {
    name,
    async run(stage, times) {
      const changes: CardChange[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const change = await addCard(stage, person, asksBank)
        await stage.injectFault({ ...fault, times: 2 })
        await stage.answerBank(String(change.answers[0]?.body.id), 'complete')
        changes.push(change)
      }
      return changes
    },
  }
}

const events: readonly Case[] = [
  faultAfterAuthentication('event dropped', { kind: 'drop', pattern: 'setup_intent.succeeded' }),
  faultAfterAuthentication('event repeated', { kind: 'repeat', pattern: 'setup_intent.*' }),
  faultAfterAuthentication('events in another order', { kind: 'reorder', pattern: 'setup_intent.*' }),
]

/** Twenty concurrent requests for one card. */
function concurrentRequests(name: string, keyOf: (place: number) => string): Case {
  return {
    name,
    isShort: true,
    async run(stage) {
      const person = await stage.person()
      const paymentMethodId = await stage.createPaymentMethod()
      const pending = Array.from({ length: 20 }, (_, place) => postCard(stage, person, paymentMethodId, keyOf(place)))
      return [{ person, action: 'add', paymentMethodId, answers: await Promise.all(pending) }]
    },
  }
}

const races: readonly Case[] = [
  concurrentRequests('20 concurrent equal requests, one key', () => 'one-key'),
  concurrentRequests('20 concurrent equal requests, 20 keys', (place) => `key-${place}`),
  {
    name: '15 cards added concurrently',
    isShort: true,
    async run(stage) {
      const person = await stage.person()
      return Promise.all(Array.from({ length: 15 }, () => addCard(stage, person)))
    },
  },
  {
    name: 'made the default and removed concurrently',
    async run(stage, times) {
      const changes: CardChange[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const first = await addCard(stage, person)
        const second = await addCard(stage, person)
        const { paymentMethodId } = second
        const path = `/account/cards/${paymentMethodId}/`
        const [madeDefault, removed] = await Promise.all([
          stage.send(person, { method: 'PUT', path: `${path}default/` }),
          stage.send(person, { method: 'DELETE', path }),
        ])
        changes.push(first, { person, action: 'default', paymentMethodId, answers: [madeDefault] })
        changes.push({ person, action: 'remove', paymentMethodId, answers: [removed] })
      }
      return changes
    },
  },
]

/** A removal whose answer is lost; with `isKilled`, because the server is killed. */
function faultWhileRemoving(name: string, fault: Parameters<Stage['injectFault']>[0], isKilled = false): Case {
  return {
    name,
    async run(stage) {
      const person = await stage.person()
      const first = await addCard(stage, person)
      const { paymentMethodId } = await addCard(stage, person)
      await stage.injectFault({ ...fault, pattern: '/payment_methods/*/detach' })
      const pending = stage.send(person, { method: 'DELETE', path: `/account/cards/${paymentMethodId}/` })
      if (isKilled) {
        await waitUntil('the card is detached', async () => (await cardsOf(stage, person)) === 1)
        await stage.killServer()
      }
      const answers = [await pending]
      await stage.clearFaults()
      return [first, { person, action: 'remove', paymentMethodId, answers }]
    },
  }
}

const removals: readonly Case[] = [
  faultWhileRemoving('500 for a while after a card was removed', { kind: 'error', pattern: '', times: 5 }),
  faultWhileRemoving(
    'killed after a card was removed, before it was answered',
    { kind: 'delay', pattern: '', milliseconds: 4000 },
    true,
  ),
]

export const cases: readonly Case[] = [...providerFaults, ...killings, ...events, ...races, ...removals]
