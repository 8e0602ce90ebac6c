/** Requests that a member has in a rolling day. */
const requestsADay = 5

const dayMs = 24 * 60 * 60 * 1000

/** Since when requests count, seen from now. */
export function dayBefore(now: Date): Date {
  return new Date(now.getTime() - dayMs)
}

/** Seconds until another request may be made; 0: at once. @param asked when the requests of the last day were made */
export function secondsToWait(asked: readonly Date[], now: Date): number {
  const newestFirst = asked.toSorted((a, b) => b.getTime() - a.getTime())
  const last = newestFirst[requestsADay - 1]
  return last ? Math.max(1, Math.ceil((last.getTime() + dayMs - now.getTime()) / 1000)) : 0
}
