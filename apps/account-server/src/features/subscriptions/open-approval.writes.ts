import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { type PendingApproval, subscriptions } from './subscriptions.tables.ts'

/** So long PayPal keeps an approval open. */
const openMs = 3 * 3_600_000

/** A call to PayPal ends sooner: whoever asks for longer was stopped. */
const askingMs = 20_000
const pollMs = 200

interface Asked {
  subscriptionId: string
  planId: string
  quantity: number
}

/**
 * The approval page of a plan and quantity that is open, or another one. Of several requests one asks PayPal, and the others wait for
 * its answer.
 * @param request asks PayPal for another one
 * @throws Problem `paypal_unavailable` if the request that asks takes too long
 */
export async function openApproval(
  deps: Pick<Deps, 'db' | 'wallClock'>,
  asked: Asked,
  request: () => Promise<string>,
): Promise<string> {
  const givenUpAt = Date.now() + askingMs
  do {
    const approval = await claim(deps, asked)
    if (approval === 'claimed') return answered(deps, asked, request)
    if (approval.url !== '') return approval.url
    await pause(pollMs)
  } while (Date.now() < givenUpAt)
  throw new Problem('paypal_unavailable', { retryAfter: 5 })
}

/** @returns the page that is open, or asked for by another request, or `claimed`: it is to be asked for now */
function claim({ db, wallClock }: Pick<Deps, 'db' | 'wallClock'>, asked: Asked): Promise<PendingApproval | 'claimed'> {
  return db.transaction(async (tx) => {
    const { id, pendingApproval } = subscriptions
    const [row] = await tx
      .select({ pendingApproval })
      .from(subscriptions)
      .where(eq(id, asked.subscriptionId))
      .for('update')
    const now = wallClock()
    const known = row?.pendingApproval
    if (known && isOpen(known, asked, now)) return known
    const claimed = { planId: asked.planId, quantity: asked.quantity, url: '', askedAt: now.toISOString() }
    await tx.update(subscriptions).set({ pendingApproval: claimed }).where(eq(id, asked.subscriptionId))
    return 'claimed'
  })
}

function isOpen({ planId, quantity, url, askedAt }: PendingApproval, asked: Asked, now: Date): boolean {
  const isSame = planId === asked.planId && quantity === asked.quantity
  return isSame && now.getTime() - Date.parse(askedAt) < (url === '' ? askingMs : openMs)
}

async function answered(
  { db, wallClock }: Pick<Deps, 'db' | 'wallClock'>,
  asked: Asked,
  request: () => Promise<string>,
) {
  const { subscriptionId, planId, quantity } = asked
  const store = (pendingApproval: PendingApproval | null) =>
    db.update(subscriptions).set({ pendingApproval }).where(eq(subscriptions.id, subscriptionId))
  try {
    const url = await request()
    await store({ planId, quantity, url, askedAt: wallClock().toISOString() })
    return url
  } catch (error) {
    await store(null)
    throw error
  }
}
