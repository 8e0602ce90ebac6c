import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import type { ProviderFailure } from '../../../outside/provider-failure.ts'
import type { OperationKind } from './operation-kinds.ts'
import type { OperationRow, OperationStatus } from './operations.tables.ts'

/** A stored operation, with its input as its definition reads it. */
export type Operation<Input> = Omit<OperationRow, 'input'> & { input: Input }

/** The providers that a definition may ask. */
export type Providers = Pick<Deps, 'cards'>

/** What is to be done at the provider. */
interface Plan<Input> {
  subject: string
  input: Input
  /** The provider's object, where it is known before the call. */
  objectId?: string
}

type Decision<Input> =
  | ({ is: 'new' } & Plan<Input>)
  /** An equal request came before: this one waits for its outcome. */
  | { is: 'same'; operationId: string }
  /** It is so already. */
  | { is: 'nothing_to_do' }

interface Situation<Asked, Facts> {
  config: Deps['config']
  member: Member
  asked: Asked
  facts: Facts
  now: Date
}

export interface Outcome {
  status: OperationStatus
  objectId?: string
  /** Of one that did not succeed: the code of the problem, and the provider's sentence. */
  problem?: string
  detail?: string
  /** What the definition keeps of it. */
  result?: object
  /** Of `requires_action`: until when it may stay open. */
  givesUpAt?: Date
  /** What must follow at the provider: stored in the same transaction, each with a key of its own. */
  next?: readonly NextOperation[]
}

export interface NextOperation {
  definition: AnyDefinition
  plan: Plan<unknown>
  /** Whether its parent is done only when it is; the default. */
  isRequired?: boolean
}

/** What the provider has of an operation, and what taking it over needs. */
interface Arrival<Found> extends Pick<Deps, 'config' | 'jobs'> {
  found: Found
  now: Date
}

/** Codes of problems by which requests hear of what is not known, or not possible now. */
interface Codes {
  /** The provider cannot be asked: nothing was done. */
  unavailable: string
  /** It may have been done, and will be found out. */
  unknown: string
  /** Another operation that excludes this one is not resolved yet: nothing was done. */
  excluded?: string
}

/**
 * What a noun declares for a kind of operation; the engine does the rest, the same way for every kind.
 * @template Asked what the request asks
 * @template Facts what `decide` needs of the provider
 * @template Input what is stored for `call`, `find` and `apply`
 * @template Found what the provider has
 */
export interface Definition<Asked, Facts, Input, Found> {
  kind: OperationKind
  provider: OperationRow['provider']
  input: z.ZodType<Input>
  codes: Codes
  /** Operations of the same member that must be resolved before this one is decided, and of which none may come in between. */
  excludes?(): readonly AnyDefinition[]
  /** Outside transactions: what `decide` needs of the provider. */
  read(deps: Deps, member: Member, asked: Asked): Promise<Facts>
  /** Under the member's lock: may it be done, and exactly what? @throws Problem where it may not */
  decide(tx: Tx, situation: Situation<Asked, Facts>): Promise<Decision<Input>>
  /** Outside any transaction. Sends the operation's id as the idempotency key, unless done twice is done once. */
  call(providers: Providers, operation: Operation<Input>): Promise<Found>
  /** After a lost answer: what the provider has of it. Nothing: it was never taken. */
  find(providers: Providers, operation: Operation<Input>): Promise<Found | undefined>
  /** In one transaction: takes over what the provider has, with activity row, mail and events. Idempotent. */
  apply(tx: Tx, operation: Operation<Input>, arrival: Arrival<Found>): Promise<Outcome>
  /** The provider said no: what the operation ends with. Not asked of failures after which nobody can know. */
  refuse(failure: ProviderFailure, operation: Operation<Input>, now: Date): Omit<Outcome, 'next'>
  /** Ends at the provider what the customer left open; answers what it ended with. */
  giveUp?(providers: Providers, operation: Operation<Input>): Promise<Found>
}

/** Declares a kind of operation: the types of its steps follow from `input` and `read`. */
export function operation<Asked, Facts, Input, Found>(
  definition: Definition<Asked, Facts, Input, Found>,
): Definition<Asked, Facts, Input, Found> {
  return definition
}

/** Whatever its types: the engine hands a definition what that definition made. */
export type AnyDefinition = Definition<unknown, unknown, unknown, unknown>
export type Definitions = Readonly<Record<OperationKind, AnyDefinition>>
