import { openCloud } from '@atrium/contract/cloud.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { callOnce } from './call.ts'
import { callForWindow } from './call-for-window.ts'
import { refuseCalls, resumeCalls } from './signed-out.ts'

const request = { body: { userTypeId: '1' } }

function signedOut() {
  const body = { type: 'about:blank', title: 'signed_out', status: 401, code: 'signed_out', requestId: 'r-1' }
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status: 401 }))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

test('an empty window closes before the person signs in again, and nothing is sent for it afterwards', async () => {
  signedOut()
  const close = vi.fn()
  const called = callForWindow({ close }, () => callOnce(openCloud, request))
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce())
  resumeCalls()
  expect(await called).toBeUndefined()
})

test('a person who declines to sign in learns that they are signed out', async () => {
  signedOut()
  const close = vi.fn()
  const called = callForWindow({ close }, () => callOnce(openCloud, request))
  const refused = expect(called).rejects.toMatchObject({ code: 'signed_out' })
  await vi.waitFor(() => expect(close).toHaveBeenCalledOnce())
  refuseCalls()
  await refused
})
