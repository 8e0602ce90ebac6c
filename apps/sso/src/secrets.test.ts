import { expect, test } from 'vitest'
import { newSecrets } from './secrets.ts'

const secrets = newSecrets('one secret, long enough for a test')
const others = newSecrets('another secret, just as long as that')

test('sealed text can be opened with the same secret only, and differs each time', () => {
  const sealed = secrets.seal('ST-123 ü')
  expect(secrets.open(sealed)).toBe('ST-123 ü')
  expect(secrets.seal('ST-123 ü')).not.toBe(sealed)
  expect(() => others.open(sealed)).toThrow()
})

test('altered sealed text cannot be opened', () => {
  const bytes = Buffer.from(secrets.seal('a text'), 'base64url')
  for (const index of [0, 13, bytes.length - 1]) {
    const altered = Buffer.from(bytes)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(() => secrets.open(altered.toString('base64url'))).toThrow()
  }
  expect(() => secrets.open('')).toThrow()
})

test('a signature is valid for its text, purpose and secret only', () => {
  const signature = secrets.sign('device', 'a browser')
  expect(secrets.isSignedBy('device', 'a browser', signature)).toBe(true)
  expect(secrets.isSignedBy('device', 'another', signature)).toBe(false)
  expect(secrets.isSignedBy('code', 'a browser', signature)).toBe(false)
  expect(others.isSignedBy('device', 'a browser', signature)).toBe(false)
})
