import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from './stage.ts'

/** The sandbox may be catching up (409), account-server may not follow (502), or one of them, or the database, be away. */
const passing: readonly number[] = [0, 409, 500, 502, 503]

/** Moves the clock, on from where it was stopped while a program was killed. */
export async function moveClock(stage: Pick<Stage, 'sandboxUrl'>, to: Date): Promise<void> {
  let status = await advance(stage, { to: to.toISOString() })
  // 422: it is there, and only account-server was not told.
  while (status !== 200) {
    if (status !== 422 && !passing.includes(status)) throw new Error(`the clock answered ${status}`)
    await pause(500)
    status = await advance(stage, status === 422 ? { seconds: 0 } : { to: to.toISOString() })
  }
}

/** It may take longer than `fetch` waits for an answer. @returns the answer's status; 0 without one */
function advance({ sandboxUrl }: Pick<Stage, 'sandboxUrl'>, given: object): Promise<number> {
  const body = JSON.stringify(given)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve) => {
    const sent = request(`${sandboxUrl}/clock/control/advance/`, { method: 'POST', headers }, (reply) => {
      reply.resume()
      reply.once('error', () => resolve(0))
      reply.once('end', () => resolve(reply.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0))
    sent.end(body)
  })
}
