import { Problem } from '@atrium/server-kit/problem.ts'
import { hash, needsRehash } from 'argon2'
import { composed } from './accounts.rules.ts'
import { matchesHash } from './foreign-hashes.ts'

export interface Hashing {
  hash(password: string): Promise<string>
  verify(hashed: string, password: string): Promise<boolean>
  /**
   * Compares with a hash that is nobody's and returns false, for an account that does not exist.
   * @param somebodys hash that is compared instead, so that it takes as long as it does with an account
   */
  verifyNothing(password: string, somebodys?: string): Promise<false>
  /** Whether it was made by another system, or with another cost than now. */
  isOutdated(hashed: string): boolean
}

interface HashingOptions {
  /** How many hashes are computed concurrently; each takes 19 MB and a thread. */
  parallel?: number
  /** How many callers may wait; further ones are refused as busy. */
  waiting?: number
}

/** OWASP's recommendation for argon2id and the library’s default: 19 MiB, two passes. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Argon2id behind a bounded queue, so that a burst of sign-ins cannot exhaust memory or threads. */
export function newHashing({ parallel = 2, waiting = 100 }: HashingOptions = {}): Hashing {
  const withSlot = boundedQueue(parallel, waiting)
  const nobody = hash('nobody has this password', cost)

  const hashing: Hashing = {
    hash: (password) => withSlot(() => hash(composed(password), cost)),
    verify: (hashed, password) => withSlot(() => matches(hashed, password)),
    async verifyNothing(password, somebodys) {
      await hashing.verify(somebodys ?? (await nobody), password)
      return false
    },
    isOutdated: (hashed) => !hashed.startsWith('$argon2id$') || needsRehash(hashed, cost),
  }
  return hashing
}

/** Other systems hashed what was typed, in whichever form the keyboard composed it. */
async function matches(hashed: string, password: string): Promise<boolean> {
  const form = composed(password)
  return (await matchesHash(hashed, form)) || (form !== password && (await matchesHash(hashed, password)))
}

function boundedQueue(parallel: number, waiting: number) {
  let running = 0
  const queue: (() => void)[] = []

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= parallel) {
      if (queue.length >= waiting) throw new Problem('overloaded', { retryAfter: 2 })
      // The slot passes directly to the next waiter, so that no new caller can take it.
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
