import { expect, test } from 'vitest'
import { orderSums } from './order-sums.rules.ts'

function order(
  amounts: readonly number[],
  { discount = 0, ...rest }: { orderAmount: number; orderTotal?: number; orderTax: number | null; discount?: number },
) {
  const line = { name: 'Folio', note: '', downloadUrl: '' }
  const bought = amounts.map((amount) => ({ ...line, amount, isDiscount: 0 as const }))
  const taken = discount === 0 ? [] : [{ ...line, amount: -discount, isDiscount: 1 as const }]
  return { orderProduct: [...bought, ...taken], orderTotal: rest.orderAmount, ...rest }
}

const named = (sums: ReturnType<typeof orderSums>) => sums.map(({ name, amount }) => [name, amount])

test('lines without tax are the amount', () => {
  expect(orderSums(order([3000, -500], { orderAmount: 2500, orderTax: 0 }))).toEqual([])
  expect(orderSums(order([3000], { orderAmount: 3000, orderTax: null }))).toEqual([])
})

test('a discount stands below the subtotal, which is before it, as in the dialog in which it was paid', () => {
  expect(named(orderSums(order([2305], { discount: 500, orderAmount: 1950, orderTax: 145 })))).toEqual([
    ['subtotal', 2305],
    ['discount', -500],
    ['tax', 145],
    ['total', 1950],
  ])
  expect(named(orderSums(order([3000], { discount: 500, orderAmount: 2500, orderTax: 0 })))).toEqual([
    ['subtotal', 3000],
    ['discount', -500],
    ['total', 2500],
  ])
  expect(named(orderSums(order([2880], { discount: 500, orderAmount: 2380, orderTax: 380 })))).toEqual([
    ['subtotal', 2880],
    ['discount', -500],
    ['total', 2380],
    ['taxIncluded', 380],
  ])
})

test('tax on top is named, and with a credit among the lines the subtotal as well', () => {
  expect(named(orderSums(order([2000], { orderAmount: 2380, orderTax: 380 })))).toEqual([
    ['tax', 380],
    ['total', 2380],
  ])
  expect(named(orderSums(order([3000, -1000], { orderAmount: 2380, orderTax: 380 })))).toEqual([
    ['subtotal', 2000],
    ['tax', 380],
    ['total', 2380],
  ])
})

test('tax within the prices is not added again', () => {
  expect(named(orderSums(order([2380], { orderAmount: 2380, orderTax: 380 })))).toEqual([
    ['total', 2380],
    ['taxIncluded', 380],
  ])
})

test('what the balance of the account paid leads from the total to what was charged', () => {
  expect(named(orderSums(order([2000], { orderAmount: 1380, orderTotal: 2380, orderTax: 380 })))).toEqual([
    ['tax', 380],
    ['total', 2380],
    ['balance', -1000],
    ['charged', 1380],
  ])
})
