import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())

const context = { return_url: 'https://folio.test/back', cancel_url: 'https://stop.test/', brand_name: '<Folio>' }

async function asked(more: object = {}) {
  const { id: plan } = await newPlan(world, { value: '12.50' })
  const { id, links } = await world.create('/v1/billing/subscriptions', {
    plan_id: plan,
    quantity: '2',
    application_context: context,
    ...more,
  })
  const link = linkOf({ links }, 'approve')
  const { pathname, search } = new URL(link)
  return {
    id,
    link,
    path: pathname + search,
    found: async () => (await world.get(`/v1/billing/subscriptions/${id}`)).json,
  }
}

test('the page says that it is a stand-in, what is asked, and runs no script', async () => {
  const { path } = await asked()
  const { status, text, headers } = await world.page(path)

  expect(status).toBe(200)
  expect(text).toContain('Sandbox – stands for the PayPal-type provider')
  expect(text).toContain('&#60;Folio&#62;')
  expect(text).toContain('$25.00 every month')
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("form-action 'self' https://folio.test https://stop.test;")
})

test('after the approval the buyer comes back with the ids', async () => {
  const { id, link, found } = await asked()
  const { status, location } = await world.answer(link, 'approve')

  expect(status).toBe(303)
  expect(location).toMatch(
    new RegExp(`^https://folio\\.test/back\\?subscription_id=${id}&ba_token=BA-\\w+&token=\\w+$`),
  )
  expect((await found()).status).toBe('ACTIVE')
})

test('after a cancellation the subscription still waits, and can be approved later', async () => {
  const { link, found } = await asked()
  const { location } = await world.answer(link, 'cancel')

  expect(location).toContain('https://stop.test/?subscription_id=')
  expect((await found()).status).toBe('APPROVAL_PENDING')
  await world.answer(link, 'approve')
  expect((await found()).status).toBe('ACTIVE')
})

test('opening or answering the page twice is harmless', async () => {
  const { link, path, found } = await asked()
  const replies = await Promise.all([1, 2, 3].map(() => world.answer(link, 'approve')))
  const opened = await world.page(path)
  const late = await world.answer(link, 'cancel')

  expect(new Set(replies.map(({ location }) => location)).size).toBe(1)
  expect(opened.status).toBe(303)
  expect(opened.headers.location).toBe(replies[0]?.location)
  expect(late.location).toBe(replies[0]?.location)
  expect(await found()).toMatchObject({
    status: 'ACTIVE',
    billing_info: { cycle_executions: [{ cycles_completed: 1 }] },
  })
})

test('without a return address the page itself says that it is done', async () => {
  const { link } = await asked({ application_context: undefined })
  const { status, text } = await world.answer(link, 'approve')

  expect(status).toBe(200)
  expect(text).toContain('Approved')
})

test('in a popup the answer is told to the button', async () => {
  const { link, id } = await asked()
  const channel = crypto.randomUUID()
  const { text, status } = await world.answer(`${link}&channel=${channel}`, 'approve')
  const page = await world.page(`${new URL(link).pathname}${new URL(link).search}&channel=${channel}`)

  expect(status).toBe(200)
  expect(text).toContain('src="/paypal/sdk/popup.js"')
  const [, message = ''] = /data-message="([^"]+)"/.exec(text) ?? []
  expect(JSON.parse(message.replaceAll('&#34;', '"'))).toMatchObject({ channel, kind: 'approved', subscription_id: id })
  expect(page.headers['cross-origin-opener-policy']).toBe('unsafe-none')
})

test('what does not exist, or was ended, cannot be approved', async () => {
  const { link } = await asked()
  await world.answer(link, 'approve')
  for (const path of ['?ba_token=BA-NONE', '?token=NONE', '', '?token=%00', '?channel=x']) {
    expect((await world.page(`/paypal/approve${path}`)).status, path).toBe(404)
  }
})

test('another site cannot answer', async () => {
  const { path, found } = await asked()
  const reply = await world.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.test' },
    payload: 'answer=approve',
  })

  expect(reply.statusCode).toBe(403)
  expect((await found()).status).toBe('APPROVAL_PENDING')
})
