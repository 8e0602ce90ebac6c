import { CallProblem } from '@atrium/ui/call-problem.ts'
import { expect, test } from 'vitest'
import { acceptedFilter, quarterOf } from './roadmap.rules.ts'
import { noFilter } from './roadmap.search.ts'

const refusal = (...paths: string[]) =>
  new CallProblem('invalid', {
    status: 422,
    errors: paths.map((path) => ({ path, code: 'invalid_value', message: '' })),
  })

test('values that the server refused fall away, and the others stay', () => {
  const filter = { ...noFilter, status: 'planned', planCycle: '2031-Q1', productType: 'Amiga' } as const
  expect(acceptedFilter(filter, refusal('query.planCycle'))).toEqual({ status: 'planned', productType: 'Amiga' })
  expect(acceptedFilter(filter, refusal('query.planCycle', 'query.productType'))).toEqual({ status: 'planned' })
})

test('no other failure changes the filter', () => {
  const filter = { ...noFilter, planCycle: '2031-Q1' }
  const { errors } = refusal('query.planCycle')
  expect(acceptedFilter(filter, new CallProblem('internal', { status: 500, errors }))).toBeUndefined()
  expect(acceptedFilter(filter, new Error('invalid'))).toBeUndefined()
  expect(acceptedFilter(filter, null)).toBeUndefined()
  // What the address does not have cannot be taken from it.
  expect(acceptedFilter(filter, refusal('query.page', 'query.status'))).toBeUndefined()
})

test('a plan cycle is a quarter of a year', () => {
  expect(quarterOf('2026-Q4')).toEqual({ year: '2026', quarter: '4' })
})
