import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { type DefaultAddressJob, defaultAddressQueue } from '../addresses/addresses.writes.ts'
import { nextLook } from './attempts.rules.ts'
import { tellUntoldAddresses, writeCustomerAddress } from './customer-address.ts'
import { attemptOf, attemptOfIntent, attemptsToLookAt } from './payments.queries.ts'
import { type Attempt, paymentAttempts } from './payments.tables.ts'
import { type EventJob, providerEventsQueue } from './webhooks.routes.ts'

/** Finds out at the provider what became of an attempt, and ends it if it has ended there. */
type Settle = (deps: Deps, attempt: Attempt) => Promise<void>

/** By purpose: payments knows purposes as words, and what they mean stands in the nouns above. */
export type Settlers = Readonly<Record<string, Settle>>

/** A job may take a minute, and the last ones looked at have their calls too; what is left comes with the next one. */
const budget = 15_000
const atOnce = 5
const mostLooks = 1000

/** What providers tell, and what a crash left. */
export async function paymentsJobs(jobs: Jobs, deps: Deps, settlers: Settlers): Promise<void> {
  await jobs.work<EventJob>(providerEventsQueue, (told) => handleEvent(deps, settlers, told))
  await jobs.work<DefaultAddressJob>(defaultAddressQueue, ({ memberId }) => writeCustomerAddress(deps, memberId))
  await jobs.schedule('payments.reconcile', '* * * * *', () => reconcile(deps, settlers))
  await jobs.schedule('payments.addresses', '23 * * * *', () => tellUntoldAddresses(deps))
}

/** An event is a hint at an attempt of ours; of others, and of types that mean nothing here, nothing follows. */
export async function handleEvent(deps: Deps, settlers: Settlers, { objectId, attemptId }: EventJob): Promise<void> {
  const attempt =
    (await attemptOfIntent(deps.db, objectId)) ??
    (attemptId && isUuid(attemptId) ? await attemptOf(deps.db, attemptId) : undefined)
  // What was given up may have succeeded after all.
  if (!attempt || (attempt.settledAt && attempt.status !== 'failed')) return
  await settlers[attempt.purpose]?.(deps, attempt)
}

/** Ends what nobody is at any more: after a crash, a lost answer, a page that was closed. */
export async function reconcile(deps: Deps, settlers: Settlers): Promise<void> {
  const deadline = Date.now() + budget
  const left = await attemptsToLookAt(deps.db, deps.clock(), mostLooks)
  while (left.length > 0 && Date.now() < deadline) {
    await Promise.all(left.splice(0, atOnce).map((attempt) => settleOne(deps, settlers, attempt)))
  }
}

/** One that cannot be settled now holds up no other, now or the next time. */
async function settleOne(deps: Deps, settlers: Settlers, attempt: Attempt): Promise<void> {
  try {
    const lookAt = nextLook(attempt, deps.clock())
    await deps.db.update(paymentAttempts).set({ lookAt }).where(eq(paymentAttempts.id, attempt.id))
    await settlers[attempt.purpose]?.(deps, attempt)
  } catch (error) {
    deps.logger.warn({ err: error, attemptId: attempt.id }, 'attempt is not settled yet')
  }
}

function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text)
}
