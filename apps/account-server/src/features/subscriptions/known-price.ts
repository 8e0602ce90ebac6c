import type { providerPrices } from '../catalog/provider-prices.tables.ts'

/** What a price stands for, and which of its product's flags count here. */
export interface KnownPrice extends Pick<typeof providerPrices.$inferSelect, 'productCode' | 'term'> {
  isConnector: boolean
  /** Of one, in minor units; left out: unknown. */
  amount?: number | null
  isStorage: boolean
}
