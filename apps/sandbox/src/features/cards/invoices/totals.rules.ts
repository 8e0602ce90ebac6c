import type Stripe from 'stripe'
import type { Line } from '../store/billing-hidden.ts'
import { idOf } from '../store/stored.ts'

type Totals = Pick<
  Stripe.Invoice,
  'subtotal' | 'subtotal_excluding_tax' | 'total' | 'total_excluding_tax' | 'total_discount_amounts' | 'total_taxes'
>

/** The sums of an invoice's lines. The subtotal is before discounts. */
export function totalsOf(lines: readonly Line[]): Totals {
  const discounts = discountTotals(lines)
  const taxes = taxTotals(lines)
  const subtotal = sum(lines.map(({ line }) => line.amount))
  const included = sum(taxes.filter(({ tax_behavior }) => tax_behavior === 'inclusive').map(amountOf))
  const added = sum(taxes.map(amountOf)) - included
  const total = subtotal - sum(discounts.map(amountOf)) + added
  return {
    subtotal,
    subtotal_excluding_tax: subtotal - included,
    total,
    total_excluding_tax: total - included - added,
    total_discount_amounts: discounts,
    total_taxes: taxes,
  }
}

function amountOf({ amount }: { amount: number }): number {
  return amount
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0)
}

function discountTotals(lines: readonly Line[]): Stripe.Invoice.TotalDiscountAmount[] {
  const totals = new Map<string, number>()
  for (const { line } of lines) {
    for (const { amount, discount } of line.discount_amounts ?? []) {
      const id = idOf(discount) ?? ''
      totals.set(id, (totals.get(id) ?? 0) + amount)
    }
  }
  return [...totals].map(([discount, amount]) => ({ amount, discount }))
}

/** One sum for each rate and behavior. */
function taxTotals(lines: readonly Line[]): Stripe.Invoice.TotalTax[] {
  const totals = new Map<string, Stripe.Invoice.TotalTax>()
  for (const tax of lines.flatMap(({ line }) => line.taxes ?? [])) {
    const key = `${tax.tax_rate_details?.tax_rate} ${tax.tax_behavior}`
    const before = totals.get(key)
    totals.set(key, {
      ...tax,
      amount: (before?.amount ?? 0) + tax.amount,
      taxable_amount: (before?.taxable_amount ?? 0) + (tax.taxable_amount ?? 0),
    })
  }
  return [...totals.values()]
}

interface Settlement {
  /** What is to be paid. */
  due: number
  /** The customer's balance afterwards: negative is a credit, positive is owed with the next invoice. */
  endingBalance: number
}

/**
 * Sets an invoice's total off against the customer's balance: `due + endingBalance = total + balance`, always.
 * @param least the smallest amount that can be charged; less is owed with the next invoice
 */
export function settled(total: number, balance: number, least: number): Settlement {
  const owed = total + balance
  if (total <= 0) return { due: 0, endingBalance: owed }
  return owed < least ? { due: 0, endingBalance: owed } : { due: owed, endingBalance: 0 }
}
