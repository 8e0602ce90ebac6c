import type { Access } from './access.rules.ts'
import type { ApiDeps, Call } from './call.ts'
import { claimKey, releaseKey, type SavedReply, saveReply } from './idempotency.ts'
import { Refusal, unknownError } from './refusal.ts'

interface Request {
  access: Access
  /** Below `/v1`, without the query. */
  path: string
  /** The parameters, as they came. */
  form: string
  idempotencyKey: string | null
  requestId: string
  /** It is done, and answered with a 500 all the same. */
  breaks: boolean
  /** A refusal that is returned saves what was done; one that is thrown undoes it. */
  run(call: Call): Promise<object>
}

/**
 * Runs a request once for its idempotency key, and saves the answer for the next time: every answer of an operation that
 * ran, be it a refusal or a 500.
 */
export async function executeOnce({ db, clock, publicUrl }: ApiDeps, request: Request): Promise<SavedReply> {
  const { access, path, form, idempotencyKey, requestId } = request
  const now = clock()
  const claim = idempotencyKey === null ? undefined : { key: idempotencyKey, requestId }
  const earlier = claim && (await claimKey(db, { ...claim, path: `/v1${path}`, parameters: form, now }))
  if (earlier) return earlier

  const replyTo = (result: object) => ({ ...replyOf(request.breaks ? unknownError() : result), requestId })
  try {
    return await db.transaction(async (tx) => {
      const saved = replyTo(await request.run({ tx, now, requestId, idempotencyKey, access, publicUrl }))
      if (claim) await saveReply(tx, claim, saved)
      return saved
    })
  } catch (error) {
    if (error instanceof Refusal) {
      const saved = replyTo(error)
      if (claim) await saveReply(db, claim, saved)
      return saved
    }
    // A lock that did not come in time, or a fault of ours: nothing was done, and the next try may do it.
    if (claim) await releaseKey(db, claim)
    throw error
  }
}

function replyOf(result: object): Omit<SavedReply, 'requestId'> {
  return result instanceof Refusal
    ? { status: result.status, body: { error: result.body } }
    : { status: 200, body: result }
}
