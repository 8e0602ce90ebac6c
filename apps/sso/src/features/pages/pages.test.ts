import { expect, test } from 'vitest'
import { newWorld } from '../../test/world.ts'
import * as wire from '../../wire.ts'

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

function pageIn(body: string) {
  const [, json = '{}'] = /<script type="application\/json"[^>]*>(.*?)<\/script>/s.exec(body) ?? []
  return wire.PageData.parse(JSON.parse(json))
}

test('a browser at an unknown address gets a not-found page in its language', async () => {
  await using world = await newWorld()
  for (const url of ['/nothing', '/cas/nothing/at/all', '/sso/sign-in/', '/login?service=x']) {
    const reply = await world.browser().get(url, { ...html, 'accept-language': 'fr' })
    expect([url, reply.statusCode]).toEqual([url, 404])
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(pageIn(reply.body)).toMatchObject({ locale: 'fr-fr', page: { name: 'not-found' } })
  }
})

test('a program at an unknown address gets a problem, and so does any POST', async () => {
  await using world = await newWorld()
  const replies = [
    await world.browser().get('/nothing'),
    await world.browser().get('/nothing', { accept: 'application/json' }),
    await world.app.inject({ method: 'POST', url: '/nothing', headers: html, payload: {} }),
  ]
  for (const reply of replies) {
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toContain('application/problem+json')
    expect(reply.json()).toMatchObject({ code: 'not_found' })
  }
})

test('only a visit of an address stores its language; an image or frame of another site chooses nothing', async () => {
  await using world = await newWorld()
  const stored = async (headers: object) =>
    (await world.browser().get('/cas/login?locale=de-de', headers)).cookies.find(({ name }) => name === 'sso_locale')
      ?.value
  expect(await stored({})).toBe('de-de')
  expect(await stored({ 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' })).toBe('de-de')
  for (const destination of ['image', 'iframe', 'empty']) {
    expect(await stored({ 'sec-fetch-dest': destination })).toBeUndefined()
  }
})
