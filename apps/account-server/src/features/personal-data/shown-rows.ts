import { maskKey } from '../licenses/licenses.rules.ts'

/** Names of columns, and of fields in their JSON, that say what something cost; what waits says it in its terms. */
const priceField = /amount|price|total|tax$|currency|^terms$|^lessThanPlan$/i

/** Not prices, whatever their names contain. */
const notPrices: readonly string[] = ['isPriceHidden', 'priceId']

type Row = Record<string, unknown>

interface Withheld {
  /** Columns with a key. */
  keys: readonly string[]
  /** Whether its owner may not see what it cost. */
  isPriceHidden: boolean
}

/** A row of an export as the screens show it: keys as their masks, and nothing of a price that is hidden. */
export function shownRow(row: Row, { keys, isPriceHidden }: Withheld): Row {
  const masks = keys.map((name) => [name, maskKey(String(row[name]))])
  const shown = { ...row, ...Object.fromEntries(masks) }
  return isPriceHidden ? withoutPrices(shown) : shown
}

function withoutPrices(row: object): Row {
  const entries = Object.entries(row).filter(([name]) => !priceField.test(name) || notPrices.includes(name))
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutPricesIn(value)]))
}

function withoutPricesIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPricesIn)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  return withoutPrices(value)
}
