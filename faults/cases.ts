import { randomUUID } from 'node:crypto'
import { ledgerOf } from './ledger.ts'
import type { Answer, Person, Stage } from './stage.ts'
import { until } from './stage.ts'
import type { Act } from './verdict.ts'

export interface Case {
  name: string
  /** In the short form too. */
  isShort?: true
  run(stage: Stage, times: number): Promise<Act[]>
}

const asksBank = '4000002760003184'

/** A card is being put on file. */
export function addition(
  stage: Stage,
  person: Person,
  paymentMethodId: string,
  key: string = randomUUID(),
): Promise<Answer> {
  return stage.ask(person, { method: 'POST', path: '/account/cards/setup-intents/', body: { paymentMethodId }, key })
}

/** Puts a card on file. */
export async function added(stage: Stage, person: Person, number?: string): Promise<Act> {
  const paymentMethodId = await stage.typed(number)
  return { person, wish: 'add', paymentMethodId, answers: [await addition(stage, person, paymentMethodId)] }
}

/** So many people each add a card, and each meets the fault. */
function whileAdding(name: string, fault: Parameters<Stage['misbehave']>[0], isShort?: true): Case {
  return {
    name,
    ...(isShort && { isShort }),
    async run(stage, times) {
      const acts: Act[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const paymentMethodId = await stage.typed()
        await stage.misbehave(fault)
        acts.push({ person, wish: 'add', paymentMethodId, answers: [await addition(stage, person, paymentMethodId)] })
        await stage.behave()
      }
      return acts
    },
  }
}

/** The server dies at one point of putting a card on file; the person asks once more with the same key. */
function killed(name: string, arrange: (stage: Stage, person: Person) => Promise<Arranged>, isShort?: true): Case {
  return {
    name: `killed ${name}`,
    ...(isShort && { isShort }),
    async run(stage) {
      const person = await stage.person()
      const paymentMethodId = await stage.typed()
      const key = randomUUID()
      const { reached, release } = await arrange(stage, person)
      const asked = addition(stage, person, paymentMethodId, key)
      await until(name, reached)
      await stage.killServer()
      await release()
      const answers = [await asked, await addition(stage, person, paymentMethodId, key)]
      return [{ person, wish: 'add', paymentMethodId, answers }]
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
  killed(
    'after the provider did it, before it answered',
    async (stage, person) => {
      await stage.misbehave({ kind: 'delay', pattern: '/setup_intents', milliseconds: 4000 })
      return { reached: async () => (await cardsOf(stage, person)) > 0, release: stage.behave }
    },
    true,
  ),
  killed('after it is written, before it is told', async (stage, person) => ({
    reached: async () => (await count(stage, `${additions} and resolved_at is not null`, person)) > 0,
    release: async () => undefined,
  })),
]

async function cardsOf(stage: Stage, person: Person): Promise<number> {
  return (await ledgerOf(stage, person)).cards.length
}

const providerFaults: readonly Case[] = [
  whileAdding('time-out after the provider did it', { kind: 'delay', pattern: '/setup_intents', milliseconds: 11_000 }),
  whileAdding('connection reset after it was done', { kind: 'reset', pattern: '/setup_intents' }, true),
  whileAdding('500 after it was done', { kind: 'error', pattern: '/setup_intents' }, true),
  whileAdding('HTML instead of JSON after it was done', { kind: 'html', pattern: '/setup_intents' }),
  whileAdding('429', { kind: 'rate_limit', pattern: '/setup_intents', times: 5 }),
  whileAdding('nothing but 500 for a while', { kind: 'error', pattern: '/setup_intents*', times: 20 }),
  whileAdding('nothing but resets for a while', { kind: 'reset', pattern: '*', times: 20 }),
  whileAdding('500 after the customer was made', { kind: 'error', pattern: '/customers', times: 3 }),
]

/** The cardholder answers the bank in a page that is gone: only the provider can tell. */
function afterTheBank(name: string, fault: Parameters<Stage['misbehave']>[0]): Case {
  return {
    name,
    async run(stage, times) {
      const acts: Act[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const act = await added(stage, person, asksBank)
        await stage.misbehave({ ...fault, times: 2 })
        await stage.answerBank(String(act.answers[0]?.body.id), 'complete')
        acts.push(act)
      }
      return acts
    },
  }
}

const events: readonly Case[] = [
  afterTheBank('event dropped', { kind: 'drop', pattern: 'setup_intent.succeeded' }),
  afterTheBank('event repeated', { kind: 'repeat', pattern: 'setup_intent.*' }),
  afterTheBank('events in another order', { kind: 'reorder', pattern: 'setup_intent.*' }),
]

/** So many requests at the same moment. */
function atOnce(name: string, keyOf: (place: number) => string): Case {
  return {
    name,
    isShort: true,
    async run(stage) {
      const person = await stage.person()
      const paymentMethodId = await stage.typed()
      const asked = Array.from({ length: 20 }, (_, place) => addition(stage, person, paymentMethodId, keyOf(place)))
      return [{ person, wish: 'add', paymentMethodId, answers: await Promise.all(asked) }]
    },
  }
}

const races: readonly Case[] = [
  atOnce('20 equal requests at once, one key', () => 'one-key'),
  atOnce('20 equal requests at once, 20 keys', (place) => `key-${place}`),
  {
    name: '15 cards at once',
    isShort: true,
    async run(stage) {
      const person = await stage.person()
      return Promise.all(Array.from({ length: 15 }, () => added(stage, person)))
    },
  },
  {
    name: 'made the default and removed at once',
    async run(stage, times) {
      const acts: Act[] = []
      for (let time = 0; time < times; time += 1) {
        const person = await stage.person()
        const first = await added(stage, person)
        const second = await added(stage, person)
        const { paymentMethodId } = second
        const path = `/account/cards/${paymentMethodId}/`
        const [made, removed] = await Promise.all([
          stage.ask(person, { method: 'PUT', path: `${path}default/` }),
          stage.ask(person, { method: 'DELETE', path }),
        ])
        acts.push(first, { person, wish: 'default', paymentMethodId, answers: [made] })
        acts.push({ person, wish: 'remove', paymentMethodId, answers: [removed] })
      }
      return acts
    },
  },
]

/** A removal whose answer is lost. */
function whileRemoving(name: string, fault: Parameters<Stage['misbehave']>[0], dies = false): Case {
  return {
    name,
    async run(stage) {
      const person = await stage.person()
      const first = await added(stage, person)
      const { paymentMethodId } = await added(stage, person)
      await stage.misbehave({ ...fault, pattern: '/payment_methods/*/detach' })
      const asked = stage.ask(person, { method: 'DELETE', path: `/account/cards/${paymentMethodId}/` })
      if (dies) {
        await until('the card is detached', async () => (await cardsOf(stage, person)) === 1)
        await stage.killServer()
      }
      const answers = [await asked]
      await stage.behave()
      return [first, { person, wish: 'remove', paymentMethodId, answers }]
    },
  }
}

const removals: readonly Case[] = [
  whileRemoving('500 for a while after a card was removed', { kind: 'error', pattern: '', times: 5 }),
  whileRemoving(
    'killed after a card was removed, before it was answered',
    { kind: 'delay', pattern: '', milliseconds: 4000 },
    true,
  ),
]

export const cases: readonly Case[] = [...providerFaults, ...killings, ...events, ...races, ...removals]
