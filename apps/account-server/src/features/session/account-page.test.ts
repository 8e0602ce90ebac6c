import { locales } from '@atrium/contract/locale.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { members } from '../../db/members.tables.ts'
import { newWorld } from '../../test/world.ts'

test.each(locales.map(({ code, prefix }) => [code, prefix]))(
  '%s is the language of its address, which sets the cookie',
  async (code, prefix) => {
    await using world = await newWorld()
    const reply = await world.request({ method: 'GET', url: prefix ? `/${prefix}/account` : '/account' })

    expect(reply.json().data.locale).toBe(code)
    const cookie = reply.cookies.find(({ name }) => name === 'atrium_locale')
    if (prefix === '') expect(cookie).toBeUndefined()
    else expect(cookie).toMatchObject({ value: code, maxAge: 31_536_000, path: '/' })
  },
)

test('without a prefix the cookie decides, and the rest of the address stays', async () => {
  await using world = await newWorld()
  const visit = (locale: string) =>
    world.request({ method: 'GET', url: '/account?tab=my-orders&page=2', cookies: { atrium_locale: locale } })

  expect((await visit('ja-jp')).statusCode).toBe(303)
  expect((await visit('ja-jp')).headers.location).toBe('/ja-jp/account?tab=my-orders&page=2')
  expect((await visit('en-us')).statusCode).toBe(200)
  expect((await visit('xx-yy')).statusCode).toBe(200)
  expect((await visit('../evil')).statusCode).toBe(200)
})

test('without prefix and cookie the browser’s languages decide, then English', async () => {
  await using world = await newWorld()
  const locale = async (header?: string) =>
    (
      await world.request({ method: 'GET', url: '/account', headers: header ? { 'accept-language': header } : {} })
    ).json().data.locale

  expect(await locale('fr-CH, fr;q=0.9, en;q=0.8')).toBe('fr-fr')
  expect(await locale('zh-TW,zh;q=0.9')).toBe('zh-tw')
  expect(await locale('sv, da')).toBe('en-us')
  expect(await locale('en;q=0.2, pt;q=0.7')).toBe('pt-br')
  expect(await locale()).toBe('en-us')
})

test('an unknown locale is not found', async () => {
  await using world = await newWorld()
  const reply = await world.request({ method: 'GET', url: '/xx/account' })
  expect(reply.statusCode).toBe(404)
  expect(reply.json().code).toBe('not_found')
})

test('the roadmap’s old address redirects to its tab in the same language', async () => {
  await using world = await newWorld()
  const to = async (url: string) => (await world.request({ method: 'GET', url })).headers.location
  expect(await to('/account/roadmap.html')).toBe('/account?tab=roadmap')
  expect(await to('/account/roadmap.html?status=planned')).toBe('/account?status=planned&tab=roadmap')
  expect(await to('/de/account/roadmap.html')).toBe('/de/account?tab=roadmap')
})

test('the root redirects to the vendor’s site', async () => {
  await using world = await newWorld({ settings: { SITE_URL: 'https://folio.example/' } })
  const reply = await world.request({ method: 'GET', url: '/' })
  expect(reply.statusCode).toBe(302)
  expect(reply.headers.location).toBe('https://folio.example')
})

test('a signed-in page contains the member, and nothing else of the session', async () => {
  await using world = await newWorld()
  const member = await world.member({ phone: '555 secret' })
  const reply = await world.request({ method: 'GET', url: '/account', headers: { cookie: member.cookie } })

  expect(reply.json().data.member).toMatchObject({ id: member.id, email: member.email })
  expect(reply.json().data.signInUrl).toBeNull()
})

test('an unknown address: a page with a link for a person, the problem for a program', async () => {
  await using world = await newWorld()
  const person = await world.request({ method: 'GET', url: '/de/nope', headers: { accept: 'text/html,*/*' } })
  const program = await world.request({ method: 'GET', url: '/de/nope', headers: { accept: 'application/json' } })

  expect(person.statusCode).toBe(404)
  expect(person.body).toContain('<h1>Diese Seite gibt es nicht</h1><p>Vielleicht enthält die Adresse')
  expect(person.body).toMatch(/--boot-brand:#3b51c4.*<header><svg/s)
  expect(person.body).toContain('href="/de/account"')
  expect(person.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/)
  expect(program.json()).toMatchObject({ status: 404, code: 'not_found' })
})

test('the page gets the address for changing passwords, if set', async () => {
  const settings = async (values: NodeJS.ProcessEnv) => {
    await using world = await newWorld({ settings: values })
    const { cookie } = await world.member()
    return (await world.request({ method: 'GET', url: '/account', headers: { cookie } })).json().data.settings
  }
  expect(await settings({})).toMatchObject({ passwordUrl: null })
  expect(await settings({ PASSWORD_URL: 'https://auth.example.com/password/' })).toMatchObject({
    passwordUrl: 'https://auth.example.com/password',
  })
})

test('the language of the page is stored for emails and invoices', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const stored = async () => (await world.db.select().from(members).where(eq(members.id, member.id)))[0]?.locale
  for (const [url, locale] of [
    ['/de/account', 'de-de'],
    ['/ja-jp/account?tab=my-orders', 'ja-jp'],
  ] as const) {
    await world.request({ url, headers: { cookie: member.cookie } })
    expect(await stored()).toBe(locale)
  }
})

test('the end of the login popup leads to the account whoever got there in another browser', async () => {
  await using world = await newWorld()
  const { cookie } = await world.member()
  const headers = { cookie: `${cookie}; atrium_locale=de-de` }
  const { body } = await world.app.inject({ url: '/account/signed-in', headers })
  expect(body).toContain('<a href="/de/account">')
})
