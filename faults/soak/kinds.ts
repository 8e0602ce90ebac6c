import type { Random } from './random.ts'

export interface Kind {
  name: string
  /** Of 200. */
  share: number
  provider: 'card' | 'paypal' | 'none'
  /** Lookup keys without currency; the first is what is subscribed to. */
  items: readonly string[]
  seats: readonly [least: number, most: number]
  trial?: 'card' | 'no card'
}

const one = [1, 1] as const
const some = [2, 9] as const

const kinds: readonly Kind[] = [
  { name: 'card, monthly', share: 20, provider: 'card', items: ['fpepb-monthly'], seats: one },
  { name: 'card, monthly, several seats', share: 8, provider: 'card', items: ['fpepb-monthly'], seats: some },
  {
    name: 'card, monthly, connectors',
    share: 8,
    provider: 'card',
    items: ['fesb-monthly', 'fcnsf-monthly'],
    seats: some,
  },
  { name: 'card, a year by the month', share: 6, provider: 'card', items: ['fpepb-yearly_paid_monthly'], seats: some },
  { name: 'card, yearly', share: 46, provider: 'card', items: ['fpepb-yearly'], seats: one },
  { name: 'card, yearly, several seats', share: 22, provider: 'card', items: ['fcl-yearly'], seats: some },
  {
    name: 'card, yearly, connectors',
    share: 10,
    provider: 'card',
    items: ['fesb-yearly', 'fcnmd-yearly'],
    seats: some,
  },
  { name: 'trial with a card', share: 10, provider: 'card', items: ['fpepi-monthly'], seats: one, trial: 'card' },
  { name: 'trial without a card', share: 10, provider: 'card', items: ['fpepi-monthly'], seats: one, trial: 'no card' },
  { name: 'PayPal, monthly', share: 12, provider: 'paypal', items: ['fcl-monthly'], seats: some },
  { name: 'PayPal, yearly', share: 18, provider: 'paypal', items: ['fpepb-yearly'], seats: some },
  { name: 'imported: prepaid, given, offline', share: 30, provider: 'none', items: [], seats: some },
]

/** The kinds of all subscribers, mixed. */
export function kindsOf(count: number, random: Random): Kind[] {
  const all = kinds.flatMap((kind) =>
    Array.from({ length: Math.max(1, Math.round((kind.share * count) / 200)) }, () => kind),
  )
  return random.sample(all, all.length)
}

const byCard = ['canceled', 'ended', 'resumed', 'declined', 'mended', 'asked', 'answered'] as const
const byPaypal = ['canceled', 'without funds', 'with funds again'] as const

/** What happens to a subscription by its customer's doing, beside its renewals. */
export type Fate = (typeof byCard)[number] | (typeof byPaypal)[number] | 'none'

export function fateOf({ provider, trial }: Kind, random: Random): Fate {
  if (provider === 'none' || trial === 'no card' || random.chance(0.45)) return 'none'
  return random.pick<Fate>(provider === 'card' ? byCard : byPaypal)
}
