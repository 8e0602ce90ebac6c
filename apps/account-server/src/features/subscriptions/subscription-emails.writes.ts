import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import type { Deps } from '../../deps.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { products } from '../catalog/catalog.tables.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { dueOrders } from './due-orders.queries.ts'
import type { NamedPlan, WaitingPlans } from './plan-ahead-notes.ts'
import { aboutNext, type SubscriptionEmail } from './subscription-emails.rules.ts'
import { subscriptionEmail } from './subscription-emails.ts'
import { noteEnded, noteKnownConfirmation, noteKnownEnd } from './subscription-notices.writes.ts'
import { type NextPlan, type PlanAhead, subscriptions } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'clock' | 'config' | 'jobs'>

interface Told {
  /** The subscription's id. */
  id: string
  email: SubscriptionEmail
  /** The card whose payment has failed; undefined: not known. */
  declinedCard?: PaidCard | undefined
  /** What pays for it; undefined: not known, or not by card. */
  payer?: Payer | undefined
  /** What renews instead of what is stored. */
  renewing?: NamedPlan | undefined
}

/** Sends the Owner an email about their subscription as it is stored now, in the transaction of what happened. */
export async function emailOwner(
  deps: Needs,
  tx: Tx,
  { id, email, declinedCard, payer, renewing }: Told,
): Promise<void> {
  const [found] = await tx
    .select({ row: subscriptions, productName: products.name, member: members, dueOrders: dueOrders() })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .where(eq(subscriptions.id, id))
  if (!found) return
  const now = deps.clock()
  const { endedAt, cancelAt, periodEnd } = found.row
  const isEnd = email === 'ended' || email === 'trialEnded'
  if (isEnd && endedAt && !(await noteEnded(tx, { id, endsAt: endedAt, now }))) return
  // It names the date: a reminder that is due already would only repeat it.
  if (email === 'renewalOff' && cancelAt) await noteKnownEnd(tx, { id, endsAt: cancelAt, now })
  if ((email === 'changeUnconfirmed' || email === 'changeAhead') && periodEnd)
    await noteKnownConfirmation(tx, { id, endsAt: periodEnd, now })
  const {
    BRAND_NAME: brandName,
    BRAND_COLOR: brandColor,
    PUBLIC_URL: publicUrl,
    PAST_DUE_DAYS: pastDueDays,
  } = deps.config
  const next = renewing ?? (await nextOf(tx, email, found.row.nextPlan))
  const waiting = await waitingOf(tx, email, found.row.nextPlan)
  const context = {
    ...found,
    declinedCard,
    payer,
    now,
    renewing: next,
    waiting,
    brandName,
    brandColor,
    publicUrl,
    pastDueDays,
  }
  const written = subscriptionEmail(email, context)
  await sendEmail(deps, tx, { ...written, to: found.member.email })
}

/** What begins with the next period, in emails about that; undefined: what there is now goes on. */
async function nextOf(tx: Tx, email: SubscriptionEmail, next: NextPlan | null): Promise<NamedPlan | undefined> {
  const wanted = email === 'changeAhead' ? 'confirmed' : 'certain'
  if (!next || !aboutNext.includes(email) || next.when !== wanted) return undefined
  return named(tx, next)
}

/** What waits for its confirmation, and what begins without it, in emails that ask for it. */
async function waitingOf(tx: Tx, email: SubscriptionEmail, next: NextPlan | null): Promise<WaitingPlans | undefined> {
  const isAbout = email === 'changeUnconfirmed' || email === 'changeAhead'
  if (!isAbout || next?.when !== 'confirmed') return undefined
  const { otherwise } = next
  return { confirmed: await named(tx, next), otherwise: otherwise && (await named(tx, otherwise)) }
}

async function named(tx: Tx, plan: PlanAhead): Promise<NamedPlan> {
  const [product] = await tx.select({ name: products.name }).from(products).where(eq(products.code, plan.productCode))
  return { ...plan, productName: product?.name ?? plan.productCode }
}
