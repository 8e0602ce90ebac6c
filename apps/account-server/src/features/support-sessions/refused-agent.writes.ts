import { createHmac, randomBytes } from 'node:crypto'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import type { Deps } from '../../deps.ts'
import { recordRefusal } from '../activity/activity.writes.ts'

/** Of this run of the program: equal addresses have equal hashes in its log, and nobody can compute one. */
const nameKey = randomBytes(32)

interface RefusedAgent {
  /** The agent, at the single sign-on. */
  subject: string
  /** The customer's address that they entered. */
  email: string
  visitor: Visitor
}

/** Leaves a trace of a support agent who was not let in to an account: the same whether there is one, since its time is answered. */
export async function noteRefusedAgent(
  { db, logger, wallClock }: Deps,
  { subject, email, visitor }: RefusedAgent,
): Promise<void> {
  const { address, requestId } = visitor
  const nameHash = createHmac('sha256', nameKey).update(email).digest('base64url').slice(0, 16)
  logger.warn({ subject, nameHash, network: networkOf(address), requestId }, 'support session not started')
  const who = { ...visitor, actor: subject, memberId: null }
  await db.transaction((tx) =>
    recordRefusal(tx, who, { action: 'support.refused', target: nameHash, now: wallClock() }),
  )
}
