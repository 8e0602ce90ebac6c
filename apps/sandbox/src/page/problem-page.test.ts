import { expect, test } from 'vitest'
import { newWorld } from '../test/world.ts'

test('an unknown address: a page for a person, the problem for a program', async () => {
  await using world = await newWorld()
  const open = (headers: Readonly<Record<string, string>>) => world.app.inject({ url: '/nowhere', headers })
  const person = await open({ accept: 'text/html,*/*', 'accept-language': 'de-AT,de;q=0.9' })

  expect([person.statusCode, person.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(person.body).toContain('<h1>Page not found</h1>')
  expect(person.body).toContain('href="http://localhost:3000/account"')
  for (const accept of ['application/json', '*/*']) {
    expect((await open({ accept })).json()).toMatchObject({ status: 404, code: 'not_found' })
  }
})

test('an unknown address of a stand-in’s API answers in its own form, also to a browser', async () => {
  await using world = await newWorld()
  const reply = await world.app.inject({ url: '/v1/nowhere', headers: { accept: 'text/html' } })
  expect(reply.statusCode).toBe(404)
  expect(reply.headers['content-type']).toContain('json')
})
