import { setTimeout as pause } from 'node:timers/promises'
import { ledgerOf } from './ledger.ts'
import type { Answer, Person, Stage } from './stage.ts'

/** A change of a card that a person requested, and the answers to it. */
export interface CardChange {
  person: Person
  action: 'add' | 'remove' | 'default' | 'edit'
  paymentMethodId: string
  answers: readonly Answer[]
}

interface State {
  /** Cards that the provider has. */
  ledger: ReadonlySet<string>
  defaults: ReadonlySet<string>
  /** Cards whose billing details Atrium changed. */
  edited: ReadonlySet<string>
  customers: number
  /** Cards on file according to our rows. */
  rows: ReadonlySet<string>
  unresolved: number
  /** Activity rows beyond one per change. */
  repeated: number
}

export interface Verdict {
  lost: number
  doubled: number
  untrue: number
  /** Until provider and rows agreed; undefined if they never did. */
  seconds: number | undefined
  /** The answer that was not true, for whoever reads the report. */
  told?: string
}

/** How long after a fault provider and rows may differ. */
export const limitSeconds = 120

/** Waits until the provider’s ledger and our rows agree about everybody in a case, then counts what is wrong. */
export async function verdictOn(stage: Stage, changes: readonly CardChange[], endedAt: number): Promise<Verdict> {
  const people = [...new Map(changes.map(({ person }) => [person.id, person])).values()]
  for (;;) {
    const states = await Promise.all(people.map((person) => stateOf(stage, person)))
    const seconds = (Date.now() - endedAt) / 1000
    const agree = states.every(({ ledger, rows, unresolved }) => unresolved === 0 && isEqual(ledger, rows))
    if (!agree && seconds < limitSeconds) {
      await pause(500)
      continue
    }
    const byPerson = new Map(people.map((person, place) => [person.id, states[place]]))
    return {
      lost: sum(states, ({ ledger, rows }) => ledger.symmetricDifference(rows).size),
      doubled: sum(states, ({ customers, repeated }) => Math.max(0, customers - 1) + repeated),
      untrue: sum(changes, (change) => untrueAnswers(change, byPerson.get(change.person.id))),
      seconds: agree ? seconds : undefined,
    }
  }
}

/** Counts answers that claim something false. An answer that leaves the outcome open is true. */
function untrueAnswers({ action, paymentMethodId, answers }: CardChange, state: State | undefined): number {
  if (!state) return 1
  const isThere = state.ledger.has(paymentMethodId)
  const isDefault = state.defaults.has(paymentMethodId)
  const isDone = { add: isThere, remove: !isThere, default: isDefault, edit: state.edited.has(paymentMethodId) }[action]
  return answers.filter((answer) => {
    const { status, code, body } = answer
    if (leavesOpen(answer)) return false
    if (status >= 500 && code !== 'card_provider_unavailable') return true
    if (status === 200) return body.status !== 'requires_action' && !isDone
    // An earlier request removed the card.
    if (status === 404 && action === 'remove') return !isDone
    // One of several equal requests may be refused while another succeeds or is still open.
    return isDone && !answers.some((other) => other.status === 200 || leavesOpen(other))
  }).length
}

/** There was no answer, or one that says that the outcome is unknown. */
function leavesOpen({ status, code }: Answer): boolean {
  return status === 0 || ['card_outcome_unknown', 'card_change_pending', 'outcome_unknown', 'overloaded'].includes(code)
}

async function stateOf(stage: Stage, person: Person): Promise<State> {
  const { customers, cards, edited } = await ledgerOf(stage, person)
  const { rows: operations } = await stage.query<{ kind: string; card: string; status: string; resolved: boolean }>(
    `select kind, subject as card, status, resolved_at is not null as resolved
     from account.provider_operations where member_id = $1`,
    [person.id],
  )
  const { rows: activities } = await stage.query<{ more: number }>(
    `select count(*)::int - 1 as more from account.activity
     where member_id = $1 and action in ('card.added', 'card.removed') group by action, target`,
    [person.id],
  )
  const succeeded = (kind: string) =>
    operations.filter((one) => one.kind === kind && one.status === 'succeeded').map(({ card }) => card)
  return {
    ledger: new Set(cards),
    defaults: new Set(customers.map(({ defaultId }) => defaultId)),
    edited: new Set(edited),
    customers: customers.length,
    rows: new Set(succeeded('card.add')).difference(new Set(succeeded('card.remove'))),
    unresolved: operations.filter(({ resolved }) => !resolved).length,
    repeated: sum(activities, ({ more }) => more),
  }
}

function isEqual(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.symmetricDifference(other).size === 0
}

function sum<Item>(items: readonly Item[], figureOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + figureOf(item), 0)
}
