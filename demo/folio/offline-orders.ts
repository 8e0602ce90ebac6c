import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'

interface Offer {
  line: string
  /** Minor units of each currency. */
  unit: Readonly<Record<string, number>>
}

/** What sales reps, distributors and resellers sell. */
const offers: readonly Offer[] = [
  { line: 'Folio PDF Editor+ Business, annual', unit: { USD: 15_900, EUR: 14_900, GBP: 12_900, JPY: 23_800 } },
  {
    line: 'Folio PDF Editor Team for Windows, perpetual',
    unit: { USD: 18_900, EUR: 17_900, GBP: 15_900, JPY: 29_800 },
  },
  { line: 'Folio eSign Business, annual', unit: { USD: 24_900, EUR: 22_900, GBP: 19_900, JPY: 36_800 } },
  { line: 'Folio Cloud, annual', unit: { USD: 7900, EUR: 7400, GBP: 6400, JPY: 11_800 } },
  { line: 'Folio PDF Editor Team for Mac, perpetual', unit: { USD: 18_900, EUR: 17_900, GBP: 15_900, JPY: 29_800 } },
  { line: 'Folio AI Assistant, annual', unit: { USD: 4900, EUR: 4500, GBP: 3900, JPY: 7300 } },
  { line: 'Folio Smart Redact Professional, annual', unit: { USD: 49_900, EUR: 46_900, GBP: 40_900, JPY: 74_800 } },
]

interface Buyer {
  name: string
  currency: string
  orders: number
  /** Days between one order and the one before. */
  every: number
  /** Starts the numbers of this buyer's orders. */
  series: number
}

/** Ada's fill three pages; noor, linus, mina, pia and vera have none. */
const buyers: readonly Buyer[] = [
  { name: 'ada', currency: 'USD', orders: 23, every: 47, series: 1 },
  { name: 'grace', currency: 'EUR', orders: 4, every: 182, series: 2 },
  { name: 'yuki', currency: 'JPY', orders: 3, every: 365, series: 3 },
  { name: 'omar', currency: 'GBP', orders: 12, every: 91, series: 4 },
  { name: 'bulk', currency: 'USD', orders: 500, every: 3, series: 5 },
]

export function* offlineOrderRecords(today: Date): Generator<FolioRecord> {
  for (const buyer of buyers) {
    for (let index = 0; index < buyer.orders; index += 1) yield order(buyer, index, today)
  }
}

/** Sizes and times of day differ from order to order, and are the same each time. */
function order({ name, currency, orders, every, series }: Buyer, index: number, today: Date): FolioRecord {
  const items = itemsOf(index, series)
  // The oldest has the lowest number.
  const number = series * 10_000 + (orders - index) * 7

  return {
    type: 'offline-order',
    orderNumber: `SO-${String(number).padStart(6, '0')}`,
    email: `${name}@folio.test`,
    lines: items.map(({ offer, quantity }) => `${quantity} × ${offer.line}`),
    amount: items.reduce((sum, { offer, quantity }) => sum + quantity * (offer.unit[currency] ?? 0), 0),
    currency,
    date: daysBefore(today, 9 + index * every, 8 + (index % 9), (index * 17) % 60).toISOString(),
  }
}

/** One to three product lines. */
function itemsOf(index: number, series: number): { offer: Offer; quantity: number }[] {
  const quantities = [5, 12, 1, 25, 3, 10, 50, 2]
  return Array.from({ length: 1 + (index % 3) }, (_, line) => {
    const offer = offers[(index + series + line * 2) % offers.length]
    const quantity = quantities[(index * 3 + line) % quantities.length]
    return offer && quantity ? [{ offer, quantity }] : []
  }).flat()
}
