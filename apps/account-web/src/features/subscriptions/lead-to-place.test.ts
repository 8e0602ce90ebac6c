import { afterEach, expect, test, vi } from 'vitest'
import { resumeCalls } from '../../api/signed-out.ts'
import { placeAddress } from './subscriptions.data.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test.each(['portal', 'storage'] as const)(
  'the empty window for the %s closes if the session has ended, and nothing is sent for it afterwards',
  async (manageBy) => {
    const body = { type: 'about:blank', title: 'signed_out', status: 401, code: 'signed_out', requestId: 'r-1' }
    const send = vi.fn(async () => new Response(JSON.stringify(body), { status: 401 }))
    vi.stubGlobal('fetch', send)
    const close = vi.fn()
    const askAgain = vi.fn()

    const address = placeAddress({ stripeSubscriptionId: 'sub_1', manageBy, window: { close } }, askAgain)
    await expect.poll(() => close).toHaveBeenCalledOnce()
    resumeCalls()
    expect(await address).toBeUndefined()
    expect(send).toHaveBeenCalledOnce()
    expect(askAgain).toHaveBeenCalledOnce()
  },
)
