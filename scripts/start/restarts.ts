/** A program that exits more than `maxExits` times within this time is not restarted any more. */
const windowMs = 10 * 60_000
const maxExits = 20
const longestPauseMs = 5000

export interface Restarts {
  /** Counts an exit. @returns milliseconds to wait before the restart, or `undefined` for no further restart */
  pauseAfterExit(): number | undefined
}

/** Counts only recent exits: a program that exits once a week is always restarted, and immediately. */
export function newRestarts({ now = Date.now, firstPauseMs = 200 } = {}): Restarts {
  let exits: number[] = []
  return {
    pauseAfterExit() {
      const at = now()
      exits = [...exits.filter((exit) => exit > at - windowMs), at]
      if (exits.length > maxExits) return undefined
      return Math.min(longestPauseMs, firstPauseMs * 2 ** (exits.length - 1))
    },
  }
}
