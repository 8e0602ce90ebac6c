import { expect, test } from 'vitest'
import { isOnThisMachine, isPublic } from './config.ts'

test.each([
  'localhost',
  'sso.localhost',
  'LOCALHOST',
  '127.0.0.1',
  '127.1',
  '127.8.9.10',
  '[::1]',
  '[::ffff:127.0.0.1]',
])('%s is on this machine', (host) => {
  expect(isOnThisMachine(`https://${host}:3001/cas`)).toBe(true)
  expect(isPublic(`https://${host}`)).toBe(false)
})

test.each(['localhost.example', 'sso.example', '128.0.0.1', '10.0.0.1', '[2001:db8::1]', '0.0.0.0'])(
  '%s is not on this machine, and public only with https',
  (host) => {
    expect(isOnThisMachine(`http://${host}`)).toBe(false)
    expect([isPublic(`https://${host}`), isPublic(`http://${host}`)]).toEqual([true, false])
  },
)
