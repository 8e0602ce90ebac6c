import { listSubscriptions, type Subscription } from '@atrium/contract/subscriptions.ts'
import type { Stage } from '../stage.ts'
import { type Expected, expectedOf } from './provider-books.ts'
import type { Subscriber } from './subscriber.ts'

/** How the lists that these people are shown differ from what the providers have: a sentence for each difference. */
export async function wronglyShown(stage: Stage, subscribers: readonly Subscriber[], now: Date): Promise<Wrong[]> {
  const expected = await expectedOf(stage, subscribers, now)
  const found: Wrong[] = []
  for (const subscriber of subscribers) {
    const shown = await shownTo(stage, subscriber)
    const wanted = expected.get(subscriber.id)
    const what =
      shown && wanted ? differences(shown, wanted, now) : [shown ? 'is unknown at its provider' : 'is not listed']
    found.push(
      ...what.map((text) => ({
        subscriber,
        text: `${subscriber.id} (${subscriber.kind}, ${subscriber.fate}) ${text}`,
      })),
    )
  }
  return found
}

export interface Wrong {
  subscriber: Subscriber
  text: string
}

async function shownTo(stage: Stage, { person, id }: Subscriber): Promise<Subscription | undefined> {
  for (const type of ['0', '1']) {
    const path = `/account/subscription/?subscriptionType=${type}`
    const { status, body } = await stage.send(person, { method: 'GET', path })
    if (status !== 200) continue
    const found = listSubscriptions.reply.parse(body).list.find((shown) => shown.stripeSubscriptionId === id)
    if (found) return found
  }
  return undefined
}

function differences(shown: Subscription, wanted: Expected, now: Date): string[] {
  const end = shown.stripeCurrentPeriodEnd
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['status', shown.stripeSubscriptionStatus, statusOf(shown, wanted, now)],
    ['seats', shown.userCount, wanted.seats],
    ['connectors', shown.esignConnectors, wanted.connectors],
    ['price', shown.price, wanted.price ?? shown.price],
    ['currency', shown.currency, wanted.currency ?? shown.currency],
    ['period end', end, wanted.periodEnd?.toISOString() ?? end],
    [
      'end',
      shown.nextPlanPeriodStart,
      wanted.endsAt === undefined ? shown.nextPlanPeriodStart : (wanted.endsAt?.toISOString() ?? ''),
    ],
    ['access', hasAccess(shown, now), accessOf(shown)],
  ]
  return pairs.flatMap(([name, is, should]) =>
    is === should ? [] : [`${name} is ${String(is)}, not ${String(should)}`],
  )
}

/** What was canceled at PayPal is active until the paid end. */
function statusOf(shown: Subscription, { status }: Expected, now: Date): string {
  if (status !== 'active or canceled') return status
  return new Date(shown.stripeCurrentPeriodEnd) > now && shown.accessEnd !== '' && new Date(shown.accessEnd) > now
    ? 'active'
    : 'canceled'
}

/** The end of access is left out while it renews. */
function hasAccess({ accessEnd, stripeSubscriptionStatus: status }: Subscription, now: Date): boolean {
  return accessEnd === '' ? ['active', 'trialing', 'given'].includes(status) : new Date(accessEnd) > now
}

/** What runs has access; a failed payment has it for some days, which the record says. */
function accessOf({ stripeSubscriptionStatus: status, isExpiring }: Subscription): boolean {
  return status === 'active' || status === 'offline-purchase' || status === 'given' || isExpiring === 1
}
