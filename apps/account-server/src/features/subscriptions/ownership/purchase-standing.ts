import type { Db } from '@atrium/server-kit/database.ts'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import type { BilledSubscription } from '../../../outside/card-provider/subscriptions.ts'
import type { PaypalSubscription } from '../../../outside/paypal/subscriptions.ts'
import { addressSubjectsOf } from '../../payments/customers/account-reference.rules.ts'
import type { Owner } from '../../payments/customers/customer-claims.queries.ts'
import { isProven } from '../../payments/customers/link-proofs.rules.ts'
import { claimOfPayer } from '../../payments/customers/payers.queries.ts'
import { isAccepted } from '../../payments/unmatched/unmatched.queries.ts'
import type { Unmatched } from '../../payments/unmatched/unmatched.writes.ts'
import { isAllGivenBack, isEndedAtPaypal, paidWaiting } from '../paypal-waiting.rules.ts'
import { isUnpaidStart } from '../projection.rules.ts'
import { storedSubscription } from '../subscriptions.queries.ts'

/** Whose a subscription is, if it is new here, and what is stored of one that does not appear. */
export interface Standing {
  /** Undefined: it does not appear. */
  owner: Owner | undefined
  /** Undefined: there is nothing to repair, since nothing was paid and nothing runs. */
  unmatched?: Unmatched | undefined
}

interface CardNeeds {
  db: Db
  cards: Pick<CardProvider, 'hasPaid' | 'hasKeptPayment'>
  /** The addresses by which its buyer finds it. */
  subjectsOf(billed: BilledSubscription): Promise<string[]>
  now: Date
}

/**
 * A subscription of the card provider: where an address alone says whose it is, it appears once something was paid for it, or the member
 * has added it.
 */
export async function cardStanding(
  { db, cards, subjectsOf, now }: CardNeeds,
  billed: BilledSubscription,
  owner: Owner | undefined,
): Promise<Standing> {
  const { id: objectId, customerId, status, createdAt: boughtAt } = billed
  if (owner && isProven(owner.proof)) return { owner }
  const object = { provider: 'card', objectId } as const
  const isPaid = async () =>
    (await isAccepted(db, { ...object, memberId: owner?.memberId })) ||
    (await cards.hasPaid({ subscription: objectId }))
  if (owner && ((await storedSubscription(db, objectId)) || (await isPaid()))) return { owner }
  const isRunning = status === 'active' || status === 'trialing'
  // A first payment that was not made is nobody's purchase: whoever tries cards at a checkout would fill the operator's list.
  if ((!isRunning && owner) || isUnpaidStart(billed)) return { owner: undefined }
  if (status === 'canceled' && !(await cards.hasKeptPayment(objectId))) return { owner: undefined }
  const memberId = owner?.memberId
  const reason = memberId ? 'offered' : 'no_member'
  const addressSubjects = memberId ? null : await subjectsOf(billed)
  const whose = { memberId, customerId, addressSubjects }
  const facts = { kind: 'subscription', reason, ...whose, boughtAt, createdAt: now } as const
  return { owner: undefined, unmatched: { ...object, ...facts } }
}

/** The same of one of PayPal, which says itself what was paid last. */
export async function paypalStanding(
  { db, secrets, now }: { db: Db; secrets: readonly string[]; now: Date },
  given: PaypalSubscription,
  owner: Owner | undefined,
): Promise<Standing> {
  const { id: objectId, status, lastPaidAt, createdAt: boughtAt } = given
  if (owner && (isProven(owner.proof) || lastPaidAt !== null)) return { owner }
  const object = { provider: 'paypal', objectId } as const
  const isAdded = async (memberId: string) => isAccepted(db, { ...object, memberId })
  if (owner && ((await storedSubscription(db, objectId)) || (await isAdded(owner.memberId)))) return { owner }
  if (isEndedAtPaypal(given) && isAllGivenBack(given)) return { owner: undefined }
  const isRunning = status === 'ACTIVE' && given.failure === null
  if (!isRunning && (owner || lastPaidAt === null)) return { owner: undefined }
  const memberId = owner?.memberId
  const reason = memberId ? 'offered' : 'no_member'
  const { email } = given.payer
  const addressSubjects = memberId ? null : addressSubjectsOf([claimOfPayer(given)], { secrets })
  const whose = { memberId, email, addressSubjects }
  const paid = paidWaiting(given.payments.filter(({ state }) => state !== 'unpaid'))
  const facts = { kind: 'subscription', reason, ...whose, ...paid, boughtAt, createdAt: now } as const
  return { owner: undefined, unmatched: { ...object, ...facts } }
}
