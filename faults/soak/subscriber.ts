import type { Person } from '../stage.ts'
import type { Fate } from './kinds.ts'

/** Somebody with one subscription. */
export interface Subscriber {
  person: Person
  /** Name of the kind. */
  kind: string
  provider: 'card' | 'paypal' | 'none'
  /** The provider's, or that of the imported record. */
  id: string
  /** At the card provider; empty elsewhere. */
  customer: string
  fate: Fate
  /** The step in which the fate begins. */
  fateStep: number
  /** How far it is; undefined: it is over. */
  stage: number | undefined
  /** Of one that a file brought: what it is until it ends, and then. */
  imported?: { status: string; after: string; periodEnd: Date; seats: number }
}
