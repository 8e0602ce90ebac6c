import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newPopup } from './popup-window.ts'

const origin = 'https://paypal.example'
const popup = { closed: false, close: () => (popup.closed = true), location: { replace: vi.fn() } }
const approved = { kind: 'approved', token: '5O190127TN364715T', payerId: '' }
let hear: (event: unknown) => void = () => undefined

beforeEach(() => {
  vi.useFakeTimers()
  popup.closed = false
  popup.location.replace.mockReset()
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('addEventListener', (_: string, listener: typeof hear) => (hear = listener))
  vi.stubGlobal('window', { open: () => popup })
  for (const name of ['screenX', 'screenY', 'outerWidth', 'outerHeight']) vi.stubGlobal(name, 0)
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an answer that arrives after its window has closed is heard', () => {
  const { told, channel } = openedPopup()
  popup.close()
  vi.advanceTimersByTime(400)
  // A window that has closed is no longer the source of its message.
  hear({ origin, source: null, data: { ...approved, channel } })
  vi.advanceTimersByTime(2000)
  expect(told).toEqual(['approved'])
})

test('a window that was closed without an answer is told once', () => {
  const { told } = openedPopup()
  popup.close()
  vi.advanceTimersByTime(2000)
  expect(told).toEqual(['closed'])
})

test('an answer of another origin or to another window is not heard', () => {
  const { told, channel } = openedPopup()
  hear({ origin: 'https://other.example', source: popup, data: { ...approved, channel } })
  hear({ origin, source: popup, data: { ...approved, channel: 'another' } })
  expect(told).toEqual([])
})

function openedPopup() {
  const told: string[] = []
  const window = newPopup({
    onAnswer: ({ kind }) => told.push(kind),
    onClosed: () => told.push('closed'),
    onChange: () => undefined,
  })
  expect(window.open()).toBe(true)
  window.ask('token', approved.token)
  const address = new URL(String(popup.location.replace.mock.calls[0]?.[0]), origin)
  return { told, channel: address.searchParams.get('channel') ?? '' }
}
