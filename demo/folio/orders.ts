import { daysBefore } from './dates.ts'
import type { FolioRecord } from './record.ts'
import { drawn, oneOf } from './sequence.ts'

type Order = Extract<FolioRecord, { type: 'order' }>

interface Offer {
  code: string
  /** What the shop writes on the line, after the number of seats. */
  name: string
  term: string
  /** Minor units of each currency, tax not included. */
  unit: Readonly<Record<string, number>>
}

/** What the shop sells. */
const offers: readonly Offer[] = [
  offer('FPEPB', 'Folio PDF Editor+ Business', 'yearly', 15_900, 14_900, 12_900, 23_800),
  offer('FPEPI', 'Folio PDF Editor+ Individual', 'yearly', 12_900, 11_900, 10_900, 19_800),
  offer('FESB', 'Folio eSign Business', 'monthly', 2499, 2299, 1999, 3700),
  offer('FSRP', 'Folio Smart Redact Professional', 'yearly', 49_900, 46_900, 40_900, 74_800),
  offer('FCLST', 'Folio Cloud Storage', 'yearly', 11_900, 10_900, 9400, 17_800),
  offer('FPM', 'Folio PDF Editor for Mac', 'perpetual', 13_900, 12_900, 10_900, 21_800),
  offer('FAI', 'Folio AI Assistant', 'monthly', 499, 459, 399, 750),
  offer('FPETW', 'Folio PDF Editor Team for Windows', 'perpetual', 18_900, 17_900, 15_900, 29_800),
]

interface Buyer {
  name: string
  currency: string
  /** Tax in percent. */
  tax: number
  orders: number
  /** Days between one order and the one before. */
  every: number
}

/** With what was bought at the providers, Ada's fill thirteen pages; noor, mina and pia bought nothing. */
const buyers: readonly Buyer[] = [
  { name: 'ada', currency: 'USD', tax: 0, orders: 122, every: 12 },
  { name: 'grace', currency: 'EUR', tax: 19, orders: 14, every: 61 },
  { name: 'linus', currency: 'USD', tax: 10, orders: 6, every: 140 },
  { name: 'omar', currency: 'GBP', tax: 20, orders: 11, every: 75 },
  { name: 'yuki', currency: 'JPY', tax: 10, orders: 9, every: 92 },
  { name: 'vera', currency: 'EUR', tax: 20, orders: 5, every: 190 },
  { name: 'bulk', currency: 'USD', tax: 0, orders: 2000, every: 1 },
]

export function* orderRecords(today: Date): Generator<FolioRecord> {
  for (const buyer of buyers) {
    for (let index = 0; index < buyer.orders; index += 1) yield order(buyer, index, today)
  }
}

/** Nearly all are completed; what is not is young, but for the canceled ones. */
const youngest: readonly Order['status'][] = ['CO', 'WT', 'PD', 'QT', 'OP']

/** Days until an order is completed or canceled. */
const longestOpen = 60

function statusOf(index: number, age: number): Order['status'] {
  if (index % 17 === 9) return 'CL'
  return (age <= longestOpen ? youngest[index] : undefined) ?? 'CO'
}

function order({ name, currency, tax, every, orders }: Buyer, index: number, today: Date): FolioRecord {
  const age = 2 + index * every
  const status = statusOf(index, age)
  const lines = linesOf(name, index, currency)
  const net = lines.reduce((sum, line) => sum + line.amount, 0)
  const taxAmount = Math.round((net * tax) / 100)
  const date = daysBefore(today, age, 7 + (index % 11), (index * 23) % 60)
  const day = date.toISOString().slice(0, 10).replaceAll('-', '')
  const number = `${day}-${String(8000 + (drawn(name, 0) % 9) * 100_000 + (orders - index)).padStart(4, '0')}`

  return {
    type: 'order',
    orderNumber: number,
    email: `${name}@folio.test`,
    // An open order has its number already: its invoice is pro forma.
    invoiceNumber: status === 'CO' || status === 'OP' ? `INV-${number}` : '',
    status,
    lines,
    amount: net + taxAmount,
    tax: taxAmount,
    currency,
    date: date.toISOString(),
  }
}

/** One line, sometimes two. */
function linesOf(name: string, index: number, currency: string) {
  return Array.from({ length: index % 7 === 3 ? 2 : 1 }, (_, line) => {
    const chosen = oneOf(offers, `${name} product ${line}`, index)
    const seats = oneOf([1, 2, 3, 4, 5, 8, 12, 20], `${name} seats ${line}`, index)
    return {
      text: `${chosen.name} · ${seats} ${seats === 1 ? 'seat' : 'seats'}, ${chosen.term}`,
      productCode: chosen.code,
      amount: seats * (chosen.unit[currency] ?? 0),
    }
  })
}

function offer(code: string, name: string, term: string, usd: number, eur: number, gbp: number, jpy: number): Offer {
  return { code, name, term, unit: { USD: usd, EUR: eur, GBP: gbp, JPY: jpy } }
}
