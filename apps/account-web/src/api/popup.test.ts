import { LoginPopupMessage } from '@atrium/contract/popups.ts'
import { expect, test } from 'vitest'
import { acceptedMessage } from './popup.ts'

const popup = { closed: false }
const expected = { popup, origin: 'https://account.folio.test', schema: LoginPopupMessage }
const said = { source: popup, origin: 'https://account.folio.test', data: { type: 'loginSuccess' } }

/** Only the window's identity is compared. */
const event = (more: object) => ({ ...said, ...more }) as unknown as MessageEvent

test('the window that we opened is heard', () => {
  expect(acceptedMessage(event({}), expected)).toEqual({ type: 'loginSuccess' })
})

test.each([
  ['another window of the same origin', { source: { closed: false } }],
  ['no window', { source: null }],
  ['an origin that only starts like it', { origin: 'https://account.folio.test.evil.test' }],
  ['the same host without encryption', { origin: 'http://account.folio.test' }],
  ['another port', { origin: 'https://account.folio.test:8443' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['another message', { data: { type: 'loginFailure' } }],
  ['a text', { data: 'loginSuccess' }],
  ['nothing', { data: undefined }],
])('%s is not heard', (_who, more) => {
  expect(acceptedMessage(event(more), expected)).toBeUndefined()
})
