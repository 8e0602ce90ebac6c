import type { Person, Stage } from '../stage.ts'
import { importRecords } from '../stage-catalog.ts'
import { fateOf, type Kind } from './kinds.ts'
import { subscribeAtPaypal } from './paypal.ts'
import type { Random } from './random.ts'
import type { Subscriber } from './subscriber.ts'

export interface Moment {
  now: Date
  /** How many steps the run has. */
  steps: number
}

/** What somebody is about to buy; everything that is left to chance is decided. */
interface Purchase {
  kind: Kind
  currency: string
  seats: number
  /** What becomes of a trial without a card. */
  withoutCard: 'cancel' | 'pause'
  fate: Pick<Subscriber, 'fate' | 'fateStep'>
  now: Date
}

export function newPurchase(random: Random, kind: Kind, { now, steps }: Moment): Purchase {
  return {
    kind,
    currency: random.pick(['usd', 'usd', 'eur', ...(kind.provider === 'card' ? ['jpy'] : [])]),
    seats: random.int(...kind.seats),
    withoutCard: random.pick(['cancel', 'pause']),
    fate: { fate: fateOf(kind, random), fateStep: random.int(3, Math.floor(steps * 0.8)) },
    now,
  }
}

/** Buys at a provider, as of now on the business clock. */
export async function subscribe(stage: Stage, purchase: Purchase): Promise<Subscriber> {
  const { kind, fate } = purchase
  const person = await stage.person()
  const bought = kind.provider === 'paypal' ? buyAtPaypal(stage, purchase, person) : buyByCard(stage, purchase, person)
  return { person, kind: kind.name, provider: kind.provider, ...fate, stage: 0, ...(await bought) }
}

const dayMs = 86_400_000

/** Prepaid, given and offline ones, which a vendor brings by a file; each runs for a while. */
export async function importSubscribers(
  stage: Stage,
  random: Random,
  wanted: readonly Kind[],
  moment: Moment,
): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = []
  const records: object[] = []
  for (const kind of wanted) {
    const person = await stage.person()
    const seats = random.int(...kind.seats)
    const id = `S-${person.id}`
    const term = { periodStart: moment.now, periodEnd: new Date(moment.now.getTime() + random.int(40, 700) * dayMs) }
    const paid = { term: 'paid_yearly', price: 11_900 * seats, currency: 'USD' }
    const { after, ...record } = random.pick([
      { after: 'prepayment-expired', status: 'active', origin: 'online', productCode: 'FPM', ...paid },
      { after: 'canceled', status: 'given', origin: 'given', productCode: 'FCL' },
      { after: 'prepayment-expired', status: 'offline-purchase', origin: 'offline', productCode: 'FPEPB' },
    ])
    const base = { type: 'subscription', subscriptionId: id, email: person.email, userCount: seats, channel: 'invoice' }
    records.push({ ...base, ...term, ...record })
    const imported = { status: record.status, after, periodEnd: term.periodEnd, seats }
    const fate = { fate: 'none', fateStep: 0, stage: 0 } as const
    subscribers.push({ person, kind: kind.name, provider: 'none', id, customer: '', ...fate, imported })
  }
  await importRecords(stage.env, records)
  return subscribers
}

async function priceIds({ query }: Stage, { kind, currency }: Purchase): Promise<string[]> {
  const ids: string[] = []
  for (const item of kind.items) {
    const [code, term] = item.split('-')
    const { rows } = await query<{ id: string }>(
      `select id from account.provider_prices
       where provider = $1 and lower(product_code) = $2 and term = $3 and lower(currency) = $4 and is_current`,
      [kind.provider, code, term, currency],
    )
    if (!rows[0]) throw new Error(`${item}-${currency} is not for sale`)
    ids.push(rows[0].id)
  }
  return ids
}

type Bought = Pick<Subscriber, 'id' | 'customer'>

async function buyByCard(stage: Stage, purchase: Purchase, { id: memberId, email }: Person): Promise<Bought> {
  const { stripe } = stage
  const { kind, seats, withoutCard } = purchase
  const [main = '', connector] = await priceIds(stage, purchase)
  const { id: customer } = await stripe.customers.create({
    ...{ email, address: { country: 'DE' } },
    metadata: { memberId },
  })
  const hasCard = kind.trial !== 'no card'
  const card = hasCard ? (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id : undefined
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: main, quantity: seats }, ...(connector ? [{ price: connector, quantity: 1 }] : [])],
    ...(card && { default_payment_method: card }),
    ...(kind.trial && {
      trial_period_days: 14,
      trial_settings: { end_behavior: { missing_payment_method: withoutCard } },
    }),
    ...(isCommitted(kind) && { metadata: { commitmentEnd: yearAfter(purchase.now).toISOString() } }),
  })
  return { id, customer }
}

/** The buyer is bound for a year that is paid by the month. */
function isCommitted({ items }: Kind): boolean {
  return items.some((item) => item.endsWith('-yearly_paid_monthly'))
}

function yearAfter(now: Date): Date {
  const end = new Date(now)
  end.setUTCFullYear(end.getUTCFullYear() + 1)
  return end
}

async function buyAtPaypal(stage: Stage, purchase: Purchase, { email }: Person): Promise<Bought> {
  const [plan = ''] = await priceIds(stage, purchase)
  const id = await subscribeAtPaypal(stage, { plan, quantity: purchase.seats, email })
  return { id, customer: '' }
}
