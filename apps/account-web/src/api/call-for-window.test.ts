import { openCloud } from '@atrium/contract/cloud.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { callOnce } from './call.ts'
import { callForWindow } from './call-for-window.ts'
import { refuseCalls, resumeCalls } from './signed-out.ts'

const send = () => callOnce(openCloud, { body: { userTypeId: '1' } })

function signedOut() {
  const body = { type: 'about:blank', title: 'signed_out', status: 401, code: 'signed_out', requestId: 'r-1' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status: 401 }))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an empty window closes before the person signs in again; afterwards nothing is sent, and they are asked to press the button again', async () => {
  signedOut()
  const close = vi.fn()
  const askAgain = vi.fn()
  const called = callForWindow({ window: { close }, send, askAgain })
  await expect.poll(() => close).toHaveBeenCalledOnce()
  expect(askAgain).not.toHaveBeenCalled()
  resumeCalls()
  expect(await called).toBeUndefined()
  expect(askAgain).toHaveBeenCalledOnce()
})

test('a person who declines to sign in learns that they are signed out', async () => {
  signedOut()
  const close = vi.fn()
  const askAgain = vi.fn()
  const called = callForWindow({ window: { close }, send, askAgain })
  const refused = expect(called).rejects.toMatchObject({ code: 'signed_out' })
  await expect.poll(() => close).toHaveBeenCalledOnce()
  refuseCalls()
  await refused
  expect(askAgain).not.toHaveBeenCalled()
})
