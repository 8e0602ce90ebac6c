import { createHash } from 'node:crypto'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { cardReplies } from '../store/cards.tables.ts'
import { invalidRequest, Refusal } from './refusal.ts'

const day = 24 * 3600 * 1000

/** A request under way for longer than any may be has died, and with it what it did: it is stored in one transaction. */
const abandonedAfter = 60_000

/** A key as one request has it. */
interface Claim {
  key: string
  requestId: string
}

interface Use extends Claim {
  /** Of the request, without its query. */
  path: string
  /** As they came. */
  parameters: string
  now: Date
}

export interface SavedReply {
  status: number
  body: object
  /** Of the request that was really executed. */
  requestId: string
}

/**
 * Takes an idempotency key for one request.
 * @returns the earlier reply where the same request was executed already; nothing where it is ours to execute
 * @throws Refusal where the key was used for something else (400), or is in use right now (409)
 */
export async function claimKey(db: Db, use: Use): Promise<SavedReply | undefined> {
  if (use.key.length > 255) throw invalidRequest('Idempotency keys are limited to 255 characters.')
  const parameters = createHash('sha256').update(use.parameters).digest('hex')
  const row = { path: use.path, parameters, requestId: use.requestId, createdAt: use.now }

  return db.transaction(async (tx) => {
    const claimed = await tx
      .insert(cardReplies)
      .values({ key: use.key, ...row })
      .onConflictDoNothing()
      .returning({ key: cardReplies.key })
    if (claimed.length > 0) return undefined

    const [found] = await tx.select().from(cardReplies).where(eq(cardReplies.key, use.key)).for('update')
    const age = use.now.getTime() - (found?.createdAt.getTime() ?? 0)
    if (!found || age > day || (found.status === null && age > abandonedAfter)) {
      await tx
        .insert(cardReplies)
        .values({ key: use.key, ...row })
        .onConflictDoUpdate({ target: cardReplies.key, set: { ...row, status: null, body: null } })
      return undefined
    }
    refuseOtherUse(found, use, parameters)
    if (found.status === null || found.body === null) throw keyInUse(use.key)
    return { status: found.status, body: found.body, requestId: found.requestId }
  })
}

/**
 * Stored with what the request did, in its transaction.
 * @throws Refusal 409 where the request took so long that another one has its key now
 */
export async function saveReply(
  db: Db | Tx,
  claim: Claim,
  { status, body }: Pick<SavedReply, 'status' | 'body'>,
): Promise<void> {
  const saved = await db
    .update(cardReplies)
    .set({ status, body })
    .where(isOpen(claim))
    .returning({ key: cardReplies.key })
  if (saved.length === 0) throw keyInUse(claim.key)
}

/** A request that did nothing leaves its key free. */
export async function releaseKey(db: Db, claim: Claim): Promise<void> {
  await db.delete(cardReplies).where(isOpen(claim))
}

/** The key is this request's, which has not been answered yet. */
function isOpen({ key, requestId }: Claim) {
  return and(eq(cardReplies.key, key), eq(cardReplies.requestId, requestId), isNull(cardReplies.status))
}

function refuseOtherUse(found: { path: string; parameters: string }, use: Use, parameters: string): void {
  if (found.path === use.path && found.parameters === parameters) return
  const bound = found.path === use.path ? 'with the same parameters' : `for the same endpoint ('${found.path}')`
  throw new Refusal(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used ${bound} they were first used with. Use another key than '${use.key}' for a different request.`,
  })
}

function keyInUse(key: string): Refusal {
  return new Refusal(409, {
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this idempotency key: ${key}. Try again later.`,
  })
}
