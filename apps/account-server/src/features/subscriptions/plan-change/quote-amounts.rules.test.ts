import { expect, test } from 'vitest'
import { balanceAfter, balanceOf, sumsOf } from './quote-amounts.rules.ts'

const nothing = { creditUsed: 0, owedBefore: 0, movedToNext: 0, creditAdded: 0 }

test.each([
  ['no balance', { total: 2000, charged: 2000, balanceBefore: 0 }, {}],
  ['credit that pays a part', { total: 2000, charged: 1500, balanceBefore: -500 }, { creditUsed: 500 }],
  ['credit that pays all of it', { total: 2000, charged: 0, balanceBefore: -5000 }, { creditUsed: 2000 }],
  ['what is owed from earlier', { total: 2000, charged: 2300, balanceBefore: 300 }, { owedBefore: 300 }],
  ['too little to charge', { total: 30, charged: 0, balanceBefore: 0 }, { movedToNext: 30 }],
  [
    'too little after the credit',
    { total: 500, charged: 0, balanceBefore: -480 },
    { creditUsed: 480, movedToNext: 20 },
  ],
  ['a credit', { total: -700, charged: 0, balanceBefore: -100 }, { creditAdded: 700 }],
  [
    'a credit that pays what is owed',
    { total: -700, charged: 0, balanceBefore: 500 },
    { owedBefore: 500, creditAdded: 200 },
  ],
  ['a balance in another currency', { total: 2000, charged: 2000, balanceBefore: -500 }, {}],
])('%s', (_what, invoice, expected) => {
  const balance = balanceOf(invoice)
  expect(balance).toEqual({ ...nothing, ...expected })
  const { creditUsed, owedBefore, movedToNext, creditAdded } = balance
  expect(invoice.total - creditUsed + owedBefore - movedToNext + creditAdded).toBe(invoice.charged)
})

test.each([
  ['nothing, once something is charged', { total: 2000, charged: 1500, balanceBefore: -500 }, 0],
  ['what is too little to charge', { total: 42, charged: 0, balanceBefore: 0 }, 42],
  ['the rest of a credit', { total: 2000, charged: 0, balanceBefore: -5000 }, -3000],
])('left on the account after it: %s', (_what, invoice, left) => {
  expect(balanceAfter(invoice)).toBe(left)
})

test.each([
  ['more seats: what they cost', [line('seat', -3000), line('seat', 5000)], 2000],
  ['another plan: all of it, before the credit for the old one', [line('old', -3000), line('new', 4500)], 4500],
  [
    'another plan beside what stays',
    [line('old', -3000), line('new', 4500), line('link', -800), line('link', 800)],
    4500,
  ],
  ['a first connector', [line('link', 700)], 700],
  [
    'a new term of which a lasting discount takes half',
    [line('month', -1500), { ...line('year', 30_000), discount: 15_000 }],
    15_000,
  ],
])('of a coupon counts, of %s', (_what, lines, bought) => {
  expect(sumsOf({ lines, discount: 0 }).bought).toBe(bought)
})

function line(priceId: string, amount: number) {
  const time = { periodStart: new Date(0), periodEnd: new Date(0), isProration: true }
  return { text: '', priceId, productId: '', quantity: 1, amount, ...time }
}
