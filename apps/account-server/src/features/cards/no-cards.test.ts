import { addAddress, listAddresses } from '@atrium/contract/addresses.ts'
import {
  createSetupIntent,
  finishSetupIntent,
  listCards,
  readCard,
  removeCard,
  setDefaultCard,
  updateCard,
} from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { startWork } from '../../app.ts'
import { newWorld } from '../../test/world.ts'

const none = { settings: { CARD_PROVIDER: 'none' } }

test('without a card provider its endpoints and its webhook do not exist', async () => {
  await using world = await newWorld(none)
  const { cookie } = await world.member()
  const endpoints = [listCards, readCard, updateCard, setDefaultCard, removeCard, createSetupIntent, finishSetupIntent]
  const webhook = { method: 'POST', path: '/webhooks/stripe/' } as const

  for (const { method, path } of [...endpoints, webhook]) {
    const headers = { cookie, origin: 'http://localhost:3000' }
    const reply = await world.request({ method, url: path, headers, ...(method !== 'GET' && { payload: {} }) })
    expect([path, reply.statusCode, reply.json().code]).toEqual([path, 404, 'not_found'])
  }
  expect((await world.request({ method: 'GET', url: '/account/openapi.json' })).body).not.toContain('/cards/')
})

test('without a card provider the page has no card settings, and the rest works', async () => {
  await using world = await newWorld(none)
  const member = await world.member()
  const page = await world.request({ method: 'GET', url: '/account', headers: { cookie: member.cookie } })
  expect(page.json().data).toMatchObject({ member: { id: member.id }, settings: { cards: null } })

  const body = {
    orderBillCountry: 'DE',
    orderBillState: 'BE',
    orderBillCity: 'Berlin',
    orderBillZip: '10115',
    orderBillAddress: 'Invalidenstr. 1',
  }
  const added = await world.as(member).send(addAddress, { body })
  expect(added.status).toBe(200)
  expect((await world.as(member).send(listAddresses, {})).body.list).toHaveLength(1)
  // No worker would take this job.
  expect(world.sent).toEqual([])
})

test('without payment providers their jobs do not run, and retention still does', async () => {
  await using world = await newWorld({ settings: { ...none.settings, PAYPAL: 'none' } })
  const names: string[] = []
  const jobs = {
    send: async () => undefined,
    sendEach: async () => undefined,
    sendLater: async () => undefined,
    stop: async () => undefined,
    endOtherSchedules: async () => undefined,
    unfinished: async () => 0,
    wake: () => undefined,
    async work(queue: string) {
      names.push(queue)
    },
    async schedule(queue: string) {
      names.push(queue)
    },
  }
  await startWork(jobs, world.deps, async () => undefined)
  expect(names.filter((name) => /^(payments|addresses)\./.test(name))).toEqual(['payments.purge'])
  expect(names).toContain('idempotency-keys.purge')
})
