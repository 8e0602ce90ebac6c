import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import { minorUnitDigits } from '@atrium/contract/minor-units.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import { spreadsheet } from '../../spreadsheet.ts'
import type { ExportedOrder } from './exported-orders.queries.ts'
import { orderLineParts } from './line-words.rules.ts'
import { isDiscount } from './order-totals.rules.ts'
import { invoiceKind, shownOrder } from './orders.rules.ts'

interface Options {
  lang: LocaleCode
  /** Names of order statuses by code; one without a name is its code. */
  statusNames: ReadonlyMap<string, string>
}

/**
 * Orders for an accountant as CSV, one row each, so that the columns can be added up: days of UTC, amounts with a point in whole units of
 * the currency. What is not known is empty.
 */
export function orderCsv(orders: readonly ExportedOrder[], { lang, statusNames }: Options): string {
  const { folder } = localeByCode(lang) ?? english
  const t = serverTexts(folder, 'invoice')
  const columns = [
    ['date', t('orderDate')],
    ['order', t('orderNumber')],
    ['invoice', t('invoiceNumber')],
    ['product', t('csv.product')],
    ['seats', t('csv.seats')],
    ['net', t('csv.net')],
    ['tax', t('tax')],
    ['total', t('total')],
    ['refunded', t('csv.refunded')],
    ['currency', t('csv.currency')],
    ['status', t('csv.status')],
    ['document', t('csv.document')],
  ] as const
  const rows = orders.map((order) => {
    const kind = invoiceKind(order)
    return {
      ...amountsOf(order),
      ...productsOf(order, lang),
      date: order.date.toISOString().slice(0, 10),
      order: order.orderNumber,
      invoice: order.invoiceNumber,
      currency: order.currency,
      status: statusNames.get(order.status) ?? order.status,
      document: kind === 'none' ? '' : t(`title.${kind}`),
    }
  })
  return spreadsheet(
    rows,
    columns.map(([key, header]) => ({ key, header })),
  )
}

function amountsOf(order: ExportedOrder) {
  const { total, tax, refundedAmount, currency } = shownOrder(order)
  if (total === null) return { net: '', tax: '', total: '', refunded: '' }
  const digits = minorUnitDigits(currency)
  const inUnits = (minor: number) => (minor / 10 ** digits).toFixed(digits)
  return {
    net: tax === null ? '' : inUnits(total - tax),
    tax: tax === null ? '' : inUnits(tax),
    total: inUnits(total),
    refunded: inUnits(refundedAmount),
  }
}

/** Of several lines, the seats stand in the order of the products; of a line that came as free text they are not known, and a setup fee has none. */
function productsOf({ lines }: ExportedOrder, lang: LocaleCode) {
  const bought = lines.filter((line) => !isDiscount(line))
  const parts = bought.map((line) => orderLineParts(line, lang))
  const seats = bought.map(({ facts }) => (facts && facts.kind !== 'setupFee' ? facts.quantity : ''))
  return {
    product: parts.map(({ name, note }) => (note === '' ? name : `${name} (${plainSpaces(note)})`)).join('; '),
    seats: seats.every((count) => count === '') ? '' : seats.join('; '),
  }
}

/** A spreadsheet is searched with ordinary spaces. */
function plainSpaces(text: string): string {
  return text.replaceAll(/\s/g, ' ')
}
