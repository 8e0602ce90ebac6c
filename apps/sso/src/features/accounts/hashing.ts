import { Problem } from '@atrium/server-kit/problem.ts'
import { hash, verify } from 'argon2'
import { composed } from './accounts.rules.ts'

export interface Hashing {
  hash(password: string): Promise<string>
  verify(hashed: string, password: string): Promise<boolean>
  /** Takes the time of a real comparison and says no: for an account that does not exist. */
  verifyNothing(password: string): Promise<false>
}

interface HashingOptions {
  /** Hashes computed at once; each takes 19 MB and a thread. */
  parallel?: number
  /** Callers that may wait; a further one is told that we are busy. */
  waiting?: number
}

/** As OWASP recommends it for argon2id, the library’s default: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Argon2id behind a bounded queue: a storm of sign-ins cannot take the machine's memory or threads. */
export function newHashing({ parallel = 2, waiting = 100 }: HashingOptions = {}): Hashing {
  const withSlot = boundedQueue(parallel, waiting)
  const nobody = hash('nobody has this password', cost)

  const hashing: Hashing = {
    hash: (password) => withSlot(() => hash(composed(password), cost)),
    verify: (hashed, password) => withSlot(() => verify(hashed, composed(password))),
    async verifyNothing(password) {
      await hashing.verify(await nobody, password)
      return false
    },
  }
  return hashing
}

function boundedQueue(parallel: number, waiting: number) {
  let running = 0
  const queue: (() => void)[] = []

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= parallel) {
      if (queue.length >= waiting) throw new Problem('overloaded', { retryAfter: 2 })
      // The one that finishes hands its place over, so that nobody comes in between.
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
