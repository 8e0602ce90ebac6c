import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import type { ProviderFailure } from '../../../outside/provider-failure.ts'
import type { OperationKind } from './operation-kinds.ts'
import type { OperationRow, OperationStatus } from './operations.tables.ts'

/** A stored operation with its parsed input. */
export type Operation<Input> = Omit<OperationRow, 'input'> & { input: Input }

/** What is to be done at the provider. */
interface Plan<Input> {
  subject: string
  input: Input
  /** The provider's object, where it is known before the call. */
  objectId?: string
  /** Of a kind that both providers have; otherwise the definition's. */
  provider?: OperationRow['provider']
}

type Decision<Input> =
  | ({ is: 'new' } & Plan<Input>)
  /** An equal request came before: this one waits for its outcome. */
  | { is: 'same'; operationId: string }
  /** The requested state holds already. */
  | { is: 'nothing_to_do' }

interface Situation<Asked, Facts> {
  deps: Deps
  member: Member
  asked: Asked
  facts: Facts
  now: Date
}

export interface Outcome {
  status: OperationStatus
  objectId?: string
  /** Unless it succeeded: the problem code, and the provider's sentence. */
  problem?: string
  detail?: string
  /** With `card_refused`: the provider's code. */
  declineCode?: string
  /** What the definition stores as the result. */
  result?: object
  /** With `requires_action`: when the customer's time is up. */
  givesUpAt?: Date
  /** Follow-up operations: stored in the same transaction, each with its own key. */
  next?: readonly NextOperation[]
}

export interface NextOperation {
  definition: AnyDefinition
  plan: Plan<unknown>
  /** Whether the parent is complete only when this one is resolved; the default. */
  isRequired?: boolean
}

/** What the provider has of an operation, and what applying it needs. */
interface Arrival<Found> {
  deps: Deps
  found: Found
  now: Date
}

/** Problem codes for outcomes that are unknown, or calls that are not possible now. */
interface Codes {
  /** The provider cannot be reached: nothing was done. */
  unavailable: string
  /** It may have been done; the reconciler will find out. */
  unknown: string
  /** An operation that excludes this one is not resolved yet: nothing was done. */
  excluded?: string
}

/**
 * What a noun declares for a kind of operation; the engine does the rest.
 * @template Asked the request's input
 * @template Facts what `decide` needs to know from the provider
 * @template Input what is stored for `call`, `find` and `apply`
 * @template Found the provider's answer
 */
export interface Definition<Asked, Facts, Input, Found> {
  kind: OperationKind
  provider: OperationRow['provider']
  input: z.ZodType<Input>
  codes: Codes
  /** Kinds of which none of the member's operations may be unresolved, or begin between `read` and `decide`. */
  excludes?(): readonly AnyDefinition[]
  /**
   * Kinds that spend the same money of the member, their credit say: while one of them, about anything else, is at the provider, this
   * one waits, and it decides again if one came in between.
   */
  excludesRunning?: readonly OperationKind[]
  /** If only operations about the same exclude it: what it is about. Otherwise all of the member's do. */
  subjectOf?(asked: Asked): string
  /** Outside transactions: what `decide` needs to know from the provider. */
  read(deps: Deps, member: Member, asked: Asked): Promise<Facts>
  /** Under the member's lock: whether it may be done, and exactly what. @throws Problem if it may not */
  decide(tx: Tx, situation: Situation<Asked, Facts>): Promise<Decision<Input>>
  /**
   * Outside any transaction. Sends the operation's id as the idempotency key, unless the call is idempotent by itself. Once the
   * provider has changed something, a failure of what follows must be `unknown`.
   */
  call(deps: Deps, operation: Operation<Input>): Promise<Found>
  /** After a lost answer: what the provider has of it; undefined if it never received the call. */
  find(deps: Deps, operation: Operation<Input>): Promise<Found | undefined>
  /** In one transaction: applies what the provider has, with activity row, mail and events. Idempotent. */
  apply(tx: Tx, operation: Operation<Input>, arrival: Arrival<Found>): Promise<Outcome>
  /** The provider refused: the operation's outcome. Not called if the failure leaves the outcome unknown. */
  refuse(failure: ProviderFailure, operation: Operation<Input>, now: Date): Omit<Outcome, 'next'>
  /** Cancels at the provider what the customer left open; returns how it ended. */
  giveUp?(deps: Deps, operation: Operation<Input>): Promise<Found>
}

/** Declares a kind of operation: the types of its steps follow from `input` and `read`. */
export function operation<Asked, Facts, Input, Found>(
  definition: Definition<Asked, Facts, Input, Found>,
): Definition<Asked, Facts, Input, Found> {
  return definition
}

/** The engine passes a definition only what that definition produced, so the types need not be known. */
export type AnyDefinition = Definition<unknown, unknown, unknown, unknown>
export type Definitions = Readonly<Record<OperationKind, AnyDefinition>>
