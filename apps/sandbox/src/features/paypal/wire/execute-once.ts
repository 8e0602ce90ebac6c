import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import { paypalReplies } from '../store/paypal.tables.ts'
import { type Call, inCall, type PaypalDeps } from './call.ts'

export interface Answer {
  status: 200 | 201 | 202 | 204
  body?: object
}

interface Request {
  /** `PayPal-Request-Id`, if the operation takes it. */
  requestId: string | null
  /** Method and path. */
  operation: string
  /** How long PayPal remembers the id, in hours. */
  hours: number
  run(call: Call): Promise<Answer>
  /** What the first request made, as it is now. */
  repeat(call: Call, first: object): Promise<object>
}

/**
 * Executes a request once per request id. PayPal answers a repetition with 200 and the latest state of what the first one
 * made, whatever the body of the repetition is. What was refused is not remembered, so the id stays free.
 */
export function executeOnce(deps: PaypalDeps, request: Request): Promise<Answer> {
  return inCall(deps, async (call) => {
    const { requestId, operation } = request
    if (requestId === null) return request.run(call)

    const key = { requestId, operation }
    const first = await claim(call.tx, key, request.hours)
    if (first) return { status: 200, body: await request.repeat(call, first) }
    const answer = await request.run(call)
    await call.tx
      .update(paypalReplies)
      .set({ body: answer.body ?? {} })
      .where(isAt(key))
    return answer
  })
}

interface Key {
  requestId: string
  operation: string
}

/**
 * Claims the id in the transaction of the request: a simultaneous request with the same id waits here for its end.
 * @returns the body of the first answer, if there was one
 */
async function claim(tx: Tx, key: Key, hours: number): Promise<object | undefined> {
  const row = { ...key, createdAt: new Date(), body: null }
  const claimed = await tx
    .insert(paypalReplies)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: paypalReplies.requestId })
  if (claimed.length > 0) return undefined

  const [found] = await tx.select().from(paypalReplies).where(isAt(key)).for('update')
  const isRemembered = found && row.createdAt.getTime() - found.createdAt.getTime() < hours * 3_600_000
  if (isRemembered && found.body) return found.body
  await tx.update(paypalReplies).set(row).where(isAt(key))
  return undefined
}

function isAt({ requestId, operation }: Key) {
  return and(eq(paypalReplies.requestId, requestId), eq(paypalReplies.operation, operation))
}
