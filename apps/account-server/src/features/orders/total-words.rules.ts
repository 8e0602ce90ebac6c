import type { Locale } from '@atrium/contract/locale.ts'
import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { OrderTotal } from './order-totals.rules.ts'

/** The names of an order's totals, of which the page has one more. */
export function totalWords(folder: Locale['folder']): Record<OrderTotal['name'], string> {
  const t = serverTexts(folder, 'invoice')
  return {
    subtotal: t('subtotal'),
    discount: t('line.discount'),
    tax: t('tax'),
    total: t('total'),
    taxIncluded: serverTexts(folder, 'orders')('sums.taxIncluded'),
    balance: t('balance'),
    charged: t('charged'),
  }
}
