import { LoginPopupMessage } from '@atrium/contract/popups.ts'
import { expect, test } from 'vitest'
import { acceptedMessage } from './popup.ts'

const popup = { closed: false }
const expected = { popup, origin: 'https://account.folio.test', schema: LoginPopupMessage }
const accepted = { source: popup, origin: 'https://account.folio.test', data: { type: 'loginSuccess' } }

/** Only the identity of the window is compared. */
const event = (more: object) => ({ ...accepted, ...more }) as unknown as MessageEvent

test('a message of the opened window is accepted', () => {
  expect(acceptedMessage(event({}), expected)).toEqual({ type: 'loginSuccess' })
})

test.each([
  ['another window of the same origin', { source: { closed: false } }],
  ['no window', { source: null }],
  ['an origin that only starts like it', { origin: 'https://account.folio.test.evil.test' }],
  ['the same host without encryption', { origin: 'http://account.folio.test' }],
  ['another port', { origin: 'https://account.folio.test:8443' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another type', { data: { type: 'loginFailure' } }],
  ['a text instead of an object', { data: 'loginSuccess' }],
  ['nothing', { data: undefined }],
])('a message of %s is not accepted', (_who, more) => {
  expect(acceptedMessage(event(more), expected)).toBeUndefined()
})
