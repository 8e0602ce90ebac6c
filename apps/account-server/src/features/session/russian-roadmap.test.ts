import type { LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { arrive, comeBack, sessionCookieOf } from '../../test/sign-in.ts'
import { newWorld } from '../../test/world.ts'
import { newNonce } from './session.rules.ts'

type World = Awaited<ReturnType<typeof newWorld>>

/** What a browser does with the cookies of an answer. */
function withCookies(before: Record<string, string>, { cookies }: Pick<LightMyRequestResponse, 'cookies'>) {
  const after = new Map(Object.entries(before))
  for (const { name, value, maxAge, expires } of cookies) {
    if (maxAge === 0 || (expires && expires.getTime() === 0)) after.delete(name)
    else after.set(name, value)
  }
  return Object.fromEntries(after)
}

async function visit(world: World, url: string, cookies: Record<string, string> = {}, language = '') {
  const reply = await world.request({ method: 'GET', url, cookies, headers: { 'accept-language': language } })
  const page = reply.statusCode === 200 ? reply.json().data : undefined
  return { reply, page, location: reply.headers.location, cookies: withCookies(cookies, reply) }
}

const session = ({ cookie }: { cookie: string }) => ({ atrium_session: cookie.split('=')[1] ?? '' })

test.each(['Roadmap', 'roadmap', 'ROAD_MAP', 'road-map', 'Road%20Map', 'road+map', 'profile&tab=roadmap'])(
  'tab=%s in Russian redirects to the English one, with one notice',
  async (tab) => {
    await using world = await newWorld()
    const first = await visit(world, `/ru/account?tab=${tab}`, session(await world.member()))
    expect([first.reply.statusCode, first.location]).toEqual([303, '/account?tab=Roadmap'])
    expect(first.cookies.atrium_locale).toBe('en-us')

    const second = await visit(world, '/account?tab=Roadmap', first.cookies)
    expect(second.page).toMatchObject({ locale: 'en-us', notice: 'roadmap_language' })
    const third = await visit(world, '/account?tab=Roadmap', second.cookies)
    expect(third.page).toMatchObject({ locale: 'en-us', notice: null })
  },
)

test('the filters of the address stay', async () => {
  await using world = await newWorld()
  const { location } = await visit(world, '/ru/account?status=planned&tab=road_map&keyword=%D1%8F&page=2')
  expect(location).toBe('/account?tab=Roadmap&status=planned&keyword=%D1%8F&page=2')
})

test.each(['my-products', 'roadmaps', ''])('tab=%s is shown in Russian', async (tab) => {
  await using world = await newWorld()
  const { page } = await visit(world, `/ru/account?tab=${tab}`)
  expect(page).toMatchObject({ locale: 'ru-ru', notice: null })
})

test('without a prefix the roadmap of a Russian visitor is English at once, by cookie or by the browser’s language', async () => {
  await using world = await newWorld()
  const own = session(await world.member())
  for (const visitor of [
    await visit(world, '/account?tab=roadmap', { ...own, atrium_locale: 'ru-ru' }),
    await visit(world, '/account?tab=roadmap', own, 'ru-RU,ru;q=0.9'),
  ]) {
    expect(visitor.page).toMatchObject({ locale: 'en-us', notice: 'roadmap_language' })
    expect(visitor.cookies.atrium_locale).toBe('en-us')
  }
})

test('a sign-in that failed twice is said in Russian, and begins no third one', async () => {
  await using world = await newWorld()
  const nonce = newNonce({ retry: true })
  const { page } = await visit(world, `/ru/account?tab=roadmap&ticket=ST-no&signin=${nonce}`, { atrium_sign_in: nonce })
  expect(page).toMatchObject({ locale: 'ru-ru', notice: 'sign_in_failed', signInUrl: null })
})

test('a browser that refuses cookies is redirected once', async () => {
  await using world = await newWorld()
  const first = await visit(world, '/ru/account?tab=Roadmap', {}, 'ru')
  const second = await visit(world, first.location ?? '', {}, 'ru')
  expect(second.page.locale).toBe('en-us')
})

test('a visitor who is signed out goes to sign-in, and is told of the language afterwards, once', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-vera', { user: 'vera', attributes: { email: 'vera@example.test', emailVerified: 'true' } })
  const asked = await visit(world, '/ru/account?tab=road_map', { atrium_locale: 'ru-ru' })
  const { reply, page, nonce } = await arrive(world, asked.location, asked.cookies)
  expect(page).toMatchObject({ locale: 'en-us', member: null, notice: null })
  expect(new URL(page.signInUrl).searchParams.get('service')).toBe(`http://localhost:3000/account?signin=${nonce}`)
  expect(new URL(page.signInUrl).searchParams.get('locale')).toBe('en-us')

  const back = await comeBack(world, { ticket: 'ST-vera', nonce })
  const cookies = { ...withCookies(asked.cookies, reply), atrium_session: sessionCookieOf(back) ?? '' }
  const first = await visit(world, '/account', cookies)
  expect(first.page).toMatchObject({
    locale: 'en-us',
    member: { email: 'vera@example.test' },
    notice: 'roadmap_language',
  })
  expect((await visit(world, '/account', first.cookies)).page.notice).toBeNull()
})

test('the old address follows the cookie, and ends in English for a Russian visitor', async () => {
  await using world = await newWorld()
  const own = session(await world.member())
  const way = async (locale: string, url = '/account/roadmap.html') => {
    const places: string[] = []
    let place: string | undefined = url
    let cookies: Record<string, string> = { ...own, atrium_locale: locale }
    while (place !== undefined && places.length < 9) {
      const step: Awaited<ReturnType<typeof visit>> = await visit(world, place, cookies)
      place = step.location
      cookies = step.cookies
      places.push(place ?? step.page.locale)
    }
    return places
  }
  expect(await way('ja-jp')).toEqual(['/account?tab=roadmap', '/ja-jp/account?tab=roadmap', 'ja-jp'])
  expect(await way('zh-tw')).toEqual(['/account?tab=roadmap', '/zh-tw/account?tab=roadmap', 'zh-tw'])
  expect(await way('ru-ru')).toEqual(['/account?tab=roadmap', 'en-us'])
  expect(await way('de-de', '/ru/account/roadmap.html')).toEqual([
    '/ru/account?tab=roadmap',
    '/account?tab=Roadmap',
    'en-us',
  ])
})
