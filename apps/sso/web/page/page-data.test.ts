import { expect, test } from 'vitest'
import { linkTo } from './page-data.ts'

test('a link between our pages keeps the service, how it takes its ticket, and the address', () => {
  const service = 'https://account.folio.test/account?signin=a'
  const query = `service=${encodeURIComponent(service)}`
  expect(linkTo('/cas/login', service, { method: 'POST' })).toBe(`/cas/login?${query}&method=POST`)
  expect(linkTo('/sign-up', service, { method: 'GET', email: 'nia@folio.test' })).toBe(
    `/sign-up?${query}&email=nia%40folio.test`,
  )
  expect(linkTo('/cas/login', null, { method: 'POST' })).toBe('/cas/login')
})
