import { expect, test, vi } from 'vitest'
import { openerOf } from './opener.ts'

const origin = 'http://localhost:3000'
const task = { task: 'linkAccount', origin } as const

/** A window with an opener that records messages. */
function newWindow() {
  const told: [unknown, string][] = []
  const opener = { postMessage: (message: unknown, target: string) => told.push([message, target]) }
  const events = new EventTarget()
  const here = Object.assign(events, { opener })
  const say = (data: unknown, from: object = opener, fromOrigin = origin) =>
    events.dispatchEvent(Object.assign(new Event('message'), { data, source: from, origin: fromOrigin }))
  return { here: here as unknown as Window, told, say, opener }
}

test('without an opener there is no answer', () => {
  expect(openerOf({ opener: null } as unknown as Window, task)).toBeUndefined()
})

test('the question is sent to the account page’s exact origin', async () => {
  const { here, told, say } = newWindow()
  const asked = openerOf(here, task)?.askUserInfo()
  expect(told).toEqual([[{ type: 'getUserInfo' }, origin]])
  say({ type: 'userInfo', accessToken: 'a.b.c' })
  expect(await asked).toBe('a.b.c')
})

test('only a valid answer from the opener’s window and origin is accepted', async () => {
  const { here, say, opener } = newWindow()
  const asked = openerOf(here, task)?.askUserInfo()
  const answer = (accessToken: unknown) => ({ type: 'userInfo', accessToken })
  say(answer('from another window'), {})
  say(answer('from another site'), opener, 'http://localhost:3002')
  say(answer('from a look-alike'), opener, 'http://localhost:3000.evil.example')
  say(answer(42))
  say({ type: 'loginSuccess' })
  say('userInfo')
  say(null)
  say(answer('the right one'))
  expect(await asked).toBe('the right one')
})

test('an outcome is reported by the name of its task, to the exact origin', () => {
  const { here, told } = newWindow()
  for (const name of ['resetPassword', 'unlinkAccount'] as const)
    openerOf(here, { task: name, origin })?.report('Close')
  expect(told).toEqual([
    [{ type: 'resetPasswordClose' }, origin],
    [{ type: 'unlinkAccountClose' }, origin],
  ])
})

test('an account page that does not answer times out', async () => {
  vi.useFakeTimers()
  const { here } = newWindow()
  const asked = openerOf(here, task)?.askUserInfo()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(await asked).toBeUndefined()
  vi.useRealTimers()
})
