import { expect, test } from 'vitest'
import { conditionsIn, ownerConditions } from './owner-conditions.ts'

const file = 'apps/account-server/src/features/orders/orders.queries.ts'

test('a call and a piece of SQL are found whole, with what stands for them in a mutant', () => {
  const code = [
    "const isOwn = and(eq(orders.memberId, sql.placeholder('memberId')), eq(orders.status, wanted))",
    `const isOther = sql\`\${orders.memberId} = \${member.id} and o.member_id = \${person.memberId}::uuid\``,
  ].join('\n')
  const found = conditionsIn(file, code)
  expect(found.map(({ text, mutant }) => [text, mutant])).toEqual([
    ["eq(orders.memberId, sql.placeholder('memberId'))", 'undefined'],
    [`\${orders.memberId} = \${member.id}`, 'true'],
    [`o.member_id = \${person.memberId}::uuid`, 'true'],
  ])
  expect(found.every(({ start, end, text }) => code.slice(start, end) === text)).toBe(true)
})

test('equal conditions of a file are counted', () => {
  const twice = 'eq(orders.memberId, id) || eq(orders.memberId, id)'
  expect(conditionsIn(file, twice).map(({ noun, occurrence }) => [noun, occurrence])).toEqual([
    ['orders', 1],
    ['orders', 2],
  ])
})

test('the conditions of this project are found', async () => {
  const nouns = new Set((await ownerConditions()).map(({ noun }) => noun))
  for (const noun of ['addresses', 'orders', 'subscriptions', 'licenses', 'devices', 'transfers']) {
    expect(nouns).toContain(noun)
  }
})
