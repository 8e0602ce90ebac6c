import { expect, test } from 'vitest'
import { keepReturnAddress, takeReturnAddress } from './return-address.ts'

const origin = 'https://account.folio.test'

function newStorage(kept?: string) {
  const entries = new Map<string, string>()
  if (kept !== undefined) entries.set('atrium:return-to', kept)
  return {
    entries,
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  }
}

test('the wanted address comes back whole, and once', () => {
  const storage = newStorage()
  keepReturnAddress(storage, { pathname: '/de/account', search: '?tab=my-orders&page=2', hash: '#x' })
  expect(takeReturnAddress(storage, origin)).toBe('/de/account?tab=my-orders&page=2#x')
  expect(takeReturnAddress(storage, origin)).toBeUndefined()
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
])('an address elsewhere is not followed: %j', (kept) => {
  const storage = newStorage(kept)
  expect(takeReturnAddress(storage, origin)).toBeUndefined()
  expect(storage.entries.size).toBe(0)
})
