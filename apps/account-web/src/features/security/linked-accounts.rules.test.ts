import { expect, test } from 'vitest'
import { linkRows } from './linked-accounts.rules.ts'

const account = (id: string, provider: 'google' | 'lenovo') => ({
  id,
  provider,
  email: null,
  institution: null,
  linkedAt: 0,
  canUnlink: true,
})

test('each linked account has a row, and each provider without one can be linked', () => {
  const rows = linkRows({
    providers: ['google', 'microsoft'],
    accounts: [account('1', 'google'), account('2', 'google')],
  })
  expect(rows.map(({ provider, account }) => [provider, account?.id])).toEqual([
    ['google', '1'],
    ['google', '2'],
    ['microsoft', undefined],
  ])
})

test('what is linked stays visible when its provider is no longer set up', () => {
  const rows = linkRows({ providers: ['google'], accounts: [account('1', 'lenovo')] })
  expect(rows.map(({ provider }) => provider)).toEqual(['lenovo', 'google'])
})
