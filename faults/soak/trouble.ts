import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../stage.ts'
import { passJobLeases, passRetryPauses } from '../stage-time.ts'
import type { Random } from './random.ts'

const kinds = ['account-server killed', 'sandbox killed', 'database connections terminated'] as const
export type Trouble = (typeof kinds)[number]

const patterns = { card: ['*', 'invoice.*', 'customer.subscription.*'], paypal: ['*', 'PAYMENT.*', 'BILLING.*'] }

/** Plans for a step which webhooks are lost, come twice, or in another order. */
export async function planWebhooks(stage: Stage, random: Random): Promise<void> {
  await stage.clearFaults()
  await stage.paypalControl('DELETE', 'faults/')
  if (random.chance(0.35)) await plan('drop', random.int(2, 12))
  if (random.chance(0.5)) await plan('repeat', random.int(5, 40))
  if (random.chance(0.15)) await plan('reorder', random.int(2, 6))

  async function plan(kind: 'drop' | 'repeat' | 'reorder', times: number): Promise<void> {
    await stage.injectFault({ kind, pattern: random.pick(patterns.card), times })
    const some = { kind, pattern: random.pick(patterns.paypal), times: Math.ceil(times / 4), milliseconds: 0 }
    await stage.paypalControl('POST', 'faults/', some)
  }
}

/** Kills a program, or the database's connections, at some moment of a step that is running. @returns what it did, if anything */
export async function makeTrouble(stage: Stage, random: Random): Promise<Trouble | undefined> {
  const kind = random.chance(0.25) ? random.pick(kinds) : undefined
  const afterMs = random.int(50, 1500)
  const ms = random.int(200, 800)
  if (!kind) return undefined
  await pause(afterMs)
  if (kind === 'account-server killed') {
    const killedAt = new Date()
    await stage.killServer()
    await passJobLeases(stage, killedAt)
  }
  if (kind === 'sandbox killed') await stage.killSandbox()
  if (kind === 'database connections terminated') {
    await stage.database.terminateConnections(ms)
    // Of some the completion was lost; others still run, and are done twice.
    await passJobLeases(stage, new Date())
  }
  await passRetryPauses(stage)
  return kind
}
