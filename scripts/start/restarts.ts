/** Deaths within this time are taken together: more of them, and a program does not stay up. */
const windowMs = 10 * 60_000
const mostDeaths = 20
const longestPauseMs = 5000

export interface Restarts {
  /** A program died. Answers the milliseconds to wait before it is started again, or `undefined` when it is to be given up. */
  pauseAfterDeath(): number | undefined
}

/** Counts recent deaths alone, so that a program that dies once a week is started again for years, and at once. */
export function newRestarts({ now = Date.now, firstPauseMs = 200 } = {}): Restarts {
  let deaths: number[] = []
  return {
    pauseAfterDeath() {
      const at = now()
      deaths = [...deaths.filter((death) => death > at - windowMs), at]
      if (deaths.length > mostDeaths) return undefined
      return Math.min(longestPauseMs, firstPauseMs * 2 ** (deaths.length - 1))
    },
  }
}
