import { expect, test } from 'vitest'
import { storeReturnAddress, takeReturnAddress } from './return-address.ts'

const here = { origin: 'https://account.folio.test', pathname: '/de/account' }

function newStorage(stored?: string) {
  const entries = new Map<string, string>()
  if (stored !== undefined) entries.set('atrium:return-to', stored)
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
}

test('the return address is restored unchanged, and once', () => {
  const storage = newStorage()
  storeReturnAddress(storage, { pathname: '/de/account', search: '?tab=my-orders&page=2', hash: '#x' })
  const address = '/de/account?tab=my-orders&page=2#x'
  expect(takeReturnAddress(storage, here)).toEqual({ address, isTranslated: false })
  expect(takeReturnAddress(storage, here)).toBeUndefined()
})

test('the return address keeps its tab, and is in the language that was chosen meanwhile', () => {
  const storage = newStorage('/account?tab=my-orders#x')
  const address = '/de/account?tab=my-orders#x'
  expect(takeReturnAddress(storage, here)).toEqual({ address, isTranslated: true })
})

test.each([
  'https://evil.test/account',
  '//evil.test/account',
  '/\\evil.test/account',
  '/\t/evil.test',
  '\\\\evil.test',
  'javascript:alert(1)',
  'account',
  '',
])('a foreign address is not restored: %j', (stored) => {
  const storage = newStorage(stored)
  expect(takeReturnAddress(storage, here)).toBeUndefined()
  expect(storage.entries.size).toBe(0)
})
