import { z } from 'zod'

/** Integer minor units of the currency: cents for USD, yen for JPY, fils for KWD. */
export const MinorUnits = z.int()

/** ISO 4217, upper case. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/)

export interface Money {
  amount: number
  currency: string
}
