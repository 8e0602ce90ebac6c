import { test, vi } from 'vitest'
import { payments } from '../app.ts'
import type { OperationRow } from '../features/payments/operations/operations.tables.ts'

type OperationKind = OperationRow['kind']
type Step = 'decide' | 'call' | 'find' | 'apply' | 'giveUp'

/** Simulates a killed server: the work in progress stops, and there is no answer. */
export class Killed extends Error {}

export const killPoints = ['before the row', 'after the row', 'after the call', 'before apply', 'in apply'] as const
type KillPoint = (typeof killPoints)[number]

const steps = {
  'before the row': ['before', 'decide'],
  'after the row': ['before', 'call'],
  'after the call': ['after', 'call'],
  'before apply': ['before', 'apply'],
  'in apply': ['after', 'apply'],
} as const satisfies Record<KillPoint, readonly ['before' | 'after', Step]>

/** The server dies once, before or after the next step of an operation of this kind. */
export function killOnce(kind: OperationKind, when: 'before' | 'after', step: Step): void {
  const definition = payments.definitions[kind]
  const original = definition[step]
  vi.spyOn(definition, step).mockImplementationOnce(async (...parameters: unknown[]) => {
    if (when === 'after' && original) await Reflect.apply(original, definition, parameters)
    throw new Killed()
  })
}

export function killAt(kind: OperationKind, point: KillPoint): void {
  const [when, step] = steps[point]
  killOnce(kind, when, step)
}

interface Killing {
  point: KillPoint
  /** Prepared until here, the server dies during what is asked for next. */
  kill(): void
  /** Whether the provider was asked before, so that it is done in the end. */
  isDone: boolean
}

/** A test for each point at which there is an operation to be caught up with. */
export function killedAtEachPoint(kind: OperationKind, scene: (killing: Killing) => Promise<void>): void {
  test.each(killPoints.filter((point) => point !== 'before the row'))(
    `${kind}, killed %s: it is caught up with`,
    (point) => scene({ point, kill: () => killAt(kind, point), isDone: point !== 'after the row' }),
  )
}
