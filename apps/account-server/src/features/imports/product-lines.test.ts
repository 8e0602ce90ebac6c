import { ImportRecord } from '@atrium/contract/imports.ts'
import { expect, test } from 'vitest'

const product = { type: 'product', code: 'EDITOR', name: 'Editor', sku: 'editor' }
const price = (term: string, currency: string, amount: number) => ({ term, currency, amount })

test('a product has one price for each term and currency', () => {
  const parse = (...prices: object[]) => ImportRecord.safeParse({ ...product, prices })

  expect(parse(price('yearly', 'USD', 1), price('yearly', 'EUR', 1), price('monthly', 'USD', 1)).success).toBe(true)
  const issues = parse(price('yearly', 'USD', 500), price('yearly', 'USD', 600)).error?.issues
  expect(issues?.map(({ path, message }) => [path, message])).toEqual([
    [['prices', 1], 'is the second price for yearly in USD'],
  ])
})
