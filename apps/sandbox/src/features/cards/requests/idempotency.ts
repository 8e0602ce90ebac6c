import { createHash } from 'node:crypto'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { cardReplies } from '../store/cards.tables.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'

const day = 24 * 3600 * 1000

/** After this time a request is presumed dead. Its transaction was rolled back, so the key may be used again. */
const abandonedAfter = 60_000

/** A key and the request that uses it. */
interface Claim {
  key: string
  requestId: string
}

interface Use extends Claim {
  /** Of the request, without its query. */
  path: string
  /** The raw parameters. */
  parameters: string
  now: Date
}

export interface SavedReply {
  status: number
  body: object
  /** Id of the request that was executed. */
  requestId: string
}

/**
 * Acquires an idempotency key for one request.
 * @returns the stored reply if the same request was executed already; `undefined` if this one must execute
 * @throws Refusal if the key was used for another request (400), or is in use (409)
 */
export async function claimKey(db: Db, use: Use): Promise<SavedReply | undefined> {
  if (use.key.length > 255) throw invalidRequest('Idempotency keys are limited to 255 characters.')
  const parameters = createHash('sha256').update(use.parameters).digest('hex')
  const row = { path: use.path, parameters, requestId: use.requestId, createdAt: use.now }

  const claimed = await db
    .insert(cardReplies)
    .values({ key: use.key, ...row })
    .onConflictDoNothing()
    .returning({ key: cardReplies.key })
  if (claimed.length > 0) return undefined

  return db.transaction(async (tx) => {
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
 * Stores the reply in the transaction of the request.
 * @throws Refusal 409 if the request took so long that another one has acquired its key
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

/** Releases the key of a request that did nothing. */
export async function releaseKey(db: Db, claim: Claim): Promise<void> {
  await db.delete(cardReplies).where(isOpen(claim))
}

/** Matches the key only while it belongs to this request and has no reply. */
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
