import { businessNow } from '../../clock/clock.queries.ts'
import type { Access } from '../wire/access.rules.ts'
import { Refusal, unknownError } from '../wire/refusal.ts'
import type { ApiDeps, Call } from './call.ts'
import { claimKey, releaseKey, type SavedReply, saveReply } from './idempotency.ts'

interface Request {
  access: Access
  /** Below `/v1`, without the query. */
  path: string
  /** The raw parameters. */
  form: string
  idempotencyKey: string | null
  requestId: string
  /** Executes the request, but answers with a 500. */
  breaks: boolean
  /** Commits if a refusal is returned; rolls back if one is thrown. */
  run(call: Call): Promise<object>
}

/**
 * Executes a request once per idempotency key, and stores the reply for repetitions: every reply of an operation that
 * ran, including refusals and 500s.
 */
export async function executeOnce(
  { db, clock, publicUrl, onPayment, onSetup }: ApiDeps,
  request: Request,
): Promise<SavedReply> {
  const { access, path, form, idempotencyKey, requestId } = request
  const realNow = clock()
  const claim = idempotencyKey === null ? undefined : { key: idempotencyKey, requestId }
  const earlier = claim && (await claimKey(db, { ...claim, path: `/v1${path}`, parameters: form, now: realNow }))
  if (earlier) return earlier

  const replyTo = (result: object) => ({ ...replyOf(request.breaks ? unknownError() : result), requestId })
  try {
    return await db.transaction(async (tx) => {
      const now = await businessNow(tx, realNow)
      const saved = replyTo(
        await request.run({ tx, now, realNow, requestId, idempotencyKey, access, publicUrl, onPayment, onSetup }),
      )
      if (claim) await saveReply(tx, claim, saved)
      return saved
    })
  } catch (error) {
    if (error instanceof Refusal && error.status !== 429) {
      const saved = replyTo(error)
      if (claim) await saveReply(db, claim, saved)
      return saved
    }
    // After a lock timeout, a conflict with another request or an internal error nothing was done, so a retry may execute it.
    if (claim) await releaseKey(db, claim)
    throw error
  }
}

function replyOf(result: object): Omit<SavedReply, 'requestId'> {
  return result instanceof Refusal
    ? { status: result.status, body: { error: result.body } }
    : { status: 200, body: result }
}
