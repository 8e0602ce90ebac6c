import { expect, test } from 'vitest'
import { arrive, comeBack } from '../../test/sign-in.ts'
import { newWorld } from '../../test/world.ts'

/** What the single sign-on says of a person who chose a language on its pages. */
const answering = (chosenLocale: string) => ({
  user: 'subject-greta',
  attributes: { email: 'greta@example.test', emailVerified: 'true', chosenLocale },
})

type Reply = Awaited<ReturnType<typeof comeBack>>

const languageCookie = (reply: Reply) => reply.cookies.find(({ name }) => name === 'atrium_locale')?.value

const languageOf = (signInUrl = '') => new URL(signInUrl).searchParams.get('locale')

async function returnWith(chosenLocale: string, path: string) {
  await using world = await newWorld()
  world.tickets.set('ST-1', answering(chosenLocale))
  const { nonce } = await arrive(world)
  return comeBack(world, { ticket: 'ST-1', nonce, path })
}

test.each([
  ['/account', 'de-de', '/de/account'],
  ['/fr/account', 'ja-jp', '/ja-jp/account'],
  ['/fr/account', 'en-us', '/account'],
])('from %s, who chose %s on the sign-in page lands on %s', async (path, chosen, landing) => {
  const reply = await returnWith(chosen, path)
  expect([reply.statusCode, reply.headers.location]).toEqual([303, landing])
  expect(languageCookie(reply)).toBe(chosen)
})

test('of the login popup, the choice is stored for the next page', async () => {
  const reply = await returnWith('de-de', '/account/signed-in')
  expect(reply.headers.location).toBe('/account/signed-in')
  expect(languageCookie(reply)).toBe('de-de')
})

test.each(['', 'xx-yy', '//evil.test', 'de-de,fr-fr'])('%j is not a language, and changes nothing', async (chosen) => {
  const reply = await returnWith(chosen, '/fr/account')
  expect(reply.headers.location).toBe('/fr/account')
  expect(languageCookie(reply)).toBeUndefined()
})

test('the single sign-on is told a language that somebody chose here, and keeps its own otherwise', async () => {
  await using world = await newWorld()
  const signInUrlOf = async (url: string, cookies: Record<string, string> = {}) => {
    const headers = { 'accept-language': 'fr' }
    return (await world.request({ method: 'GET', url, headers, cookies })).json().data.signInUrl
  }
  expect(languageOf(await signInUrlOf('/de/account'))).toBe('de-de')
  expect(languageOf(await signInUrlOf('/account', { atrium_locale: 'en-us' }))).toBe('en-us')
  expect(languageOf(await signInUrlOf('/account'))).toBeNull()

  const headers = { 'accept-language': 'fr' }
  const atSupport = async (cookies: Record<string, string>) =>
    (await world.request({ method: 'GET', url: '/support', headers, cookies })).headers.location
  expect(languageOf(await atSupport({ atrium_locale: 'de-de' }))).toBe('de-de')
  expect(languageOf(await atSupport({}))).toBeNull()
})

test('a planted ticket chooses no language', async () => {
  await using world = await newWorld()
  world.tickets.set('ST-1', answering('de-de'))
  await arrive(world)
  const url = '/account?signin=AAAAAAAAAAAAAAAAAAAAAA&ticket=ST-1&chosenLocale=de-de&locale=de-de'
  const reply = await world.request({ method: 'GET', url })
  expect(languageOf(reply.headers.location)).toBeNull()
  expect(languageCookie(reply)).toBeUndefined()
  expect(world.asked).toEqual([])
})
