import { Problem } from '@atrium/server-kit/problem.ts'

const timeoutMs = 30_000

/**
 * Sets the business clock of account-server, which runs its own jobs until then before it answers.
 * @throws Problem `account_clock_failed`: the move stops
 */
export async function setAccountClock(accountUrl: string, now: Date): Promise<void> {
  const url = new URL('/business-clock/', accountUrl)
  let status = 'no answer'
  try {
    const reply = await fetch(url, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ now: now.toISOString() }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await reply.body?.cancel()
    if (reply.ok) return
    status = String(reply.status)
  } catch (error) {
    status = error instanceof Error && error.name === 'TimeoutError' ? 'no answer in time' : 'not reached'
  }
  throw new Problem('account_clock_failed', {
    detail: `The clock stopped at ${now.toISOString()}: account-server did not follow (PUT ${url.href}: ${status}).`,
  })
}
