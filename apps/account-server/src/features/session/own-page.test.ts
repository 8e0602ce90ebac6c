import { paypalAddLicense } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'

const visits = [{}, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' }]
const unseen = [
  { 'sec-fetch-dest': 'image', 'sec-fetch-mode': 'no-cors' },
  { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
  { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' },
  { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-purpose': 'prefetch;prerender' },
]

test('only a visit of an address stores its language: no image, frame, fetch or prefetch of another site does', async () => {
  await using world = await newWorld()
  const stored = async (headers: Record<string, string>) => {
    const { cookies, statusCode } = await world.request({ method: 'GET', url: '/de/account', headers })
    return [statusCode, cookies.find(({ name }) => name === 'atrium_locale')?.value]
  }
  for (const headers of visits) expect(await stored(headers)).toEqual([200, 'de-de'])
  for (const headers of unseen) expect([headers, ...(await stored(headers))]).toEqual([headers, 200, undefined])
})

test('what PayPal says is applied only for a call of our own page; the landing from PayPal is a visit, and stays', async () => {
  await using world = await newWorld({ settings: { PAYPAL: 'none' } })
  const { cookie } = await world.member()
  const status = async (url: string, headers: Record<string, string>) =>
    (await world.request({ method: 'GET', url, headers: { cookie, ...headers } })).statusCode
  const applied = `${paypalAddLicense.path}?stripeSubscriptionId=I-NONE`

  for (const site of ['cross-site', 'same-site', 'none', 'something']) {
    expect([site, await status(applied, { 'sec-fetch-site': site })]).toEqual([site, 403])
  }
  expect(await status(applied, {})).toBe(403)
  expect(await status(applied, { 'sec-fetch-site': 'same-origin' })).toBe(404)
  const landing = '/account?tab=my-subscriptions&subscription_id=I-NONE'
  for (const headers of visits) expect(await status(landing, headers)).toBe(200)
})
