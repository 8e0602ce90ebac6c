import { afterEach, expect, test, vi } from 'vitest'
import { callApi, formOf } from './api.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('parameters are encoded as the API expects them', () => {
  const form = formOf({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12 },
    billing_details: { name: 'Ada & Sons', email: null, phone: undefined, address: { line2: '' } },
    use_stripe_sdk: true,
  })

  expect(Object.fromEntries(form)).toEqual({
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'billing_details[name]': 'Ada & Sons',
    'billing_details[email]': '',
    'billing_details[address][line2]': '',
    use_stripe_sdk: 'true',
  })
})

test('a timeout of the API is a connection error', async () => {
  const overdue = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(overdue.signal)
  const fetched = vi.fn(
    (_path: string, { signal }: RequestInit) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  vi.stubGlobal('fetch', fetched)
  const call = { method: 'POST', path: '/v1/payment_methods', parameters: {}, key: 'pk_test_1', locale: 'en' } as const
  const reply = callApi(call)
  overdue.abort()

  expect(await reply).toEqual({
    error: { type: 'api_connection_error', message: expect.stringContaining('connecting to our payments provider') },
  })
})
