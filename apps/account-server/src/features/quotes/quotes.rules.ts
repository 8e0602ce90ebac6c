/** Requests per member and rolling day. */
const requestsADay = 5

const dayMs = 24 * 60 * 60 * 1000

/** Requests since then count toward the limit. */
export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs)
}

/** Seconds until another request is allowed; 0: now. @param asked times of the last day's requests */
export function secondsToWait(asked: readonly Date[], now: Date): number {
  const newestFirst = asked.toSorted((a, b) => b.getTime() - a.getTime())
  const last = newestFirst[requestsADay - 1]
  return last ? Math.max(1, Math.ceil((last.getTime() + dayMs - now.getTime()) / 1000)) : 0
}
