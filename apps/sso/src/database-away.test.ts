import { expect, test } from 'vitest'
import { account, databaseForwarder, demoPassword, newWorld } from './test/world.ts'
import * as wire from './wire.ts'

test('while the database is unavailable, programs and people get 503 with a retry time; then everything works again', async () => {
  await using forwarder = await databaseForwarder()
  await using world = await newWorld({ forwarder })
  const { email } = await world.newUser()
  const browser = world.browser()
  const signIn = () => browser.send(wire.signIn, { body: { email, password: demoPassword } })
  expect((await signIn()).status).toBe(200)

  forwarder.stall()
  const refused = await signIn()
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'overloaded', '2'])
  const page = await browser.get(`/cas/login?service=${account}/account`, {
    accept: 'text/html',
    'accept-language': 'ja',
  })
  expect([page.statusCode, page.headers['retry-after']]).toEqual([503, '2'])
  expect(page.body).toMatch(/"locale":"ja-jp".*"name":"unavailable"/)

  forwarder.resume()
  expect((await signIn()).status).toBe(200)
  expect((await browser.get(`/cas/login?service=${account}/account`)).statusCode).toBe(302)
})
