import { endpoint } from '@atrium/contract/endpoint.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openApiRoutes } from './openapi.ts'
import { newWorld } from './test/world.ts'

test('the description is generated once, and may be cached', async () => {
  const app = Fastify()
  openApiRoutes(app)
  let made = 0
  const thing = endpoint({
    method: 'GET',
    path: '/things/',
    summary: 'Things',
    get reply() {
      made += 1
      return z.string()
    },
  })
  app.get(thing.path, { config: { endpoint: thing } }, async () => 'a thing')
  const before = made
  const replies = await Promise.all(Array.from({ length: 20 }, () => app.inject('/account/openapi.json')))

  expect(made - before).toBe(1)
  expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
  expect(replies[0]?.json().paths['/things/'].get.summary).toBe('Things')
  expect(replies[0]?.headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-type': 'application/json; charset=utf-8',
  })
  await app.close()
})

test('problems with data are described per status, with one schema per shape', async () => {
  const app = Fastify()
  openApiRoutes(app)
  const Row = z.object({ name: z.string() })
  const thing = endpoint({
    method: 'PUT',
    path: '/things/',
    summary: 'Change a thing',
    reply: Row,
    problems: {
      no_change: 409,
      stale: { status: 409, data: Row },
      renamed: { status: 409, data: Row },
      limit: { status: 402, data: z.object({ most: z.int().max(9) }) },
    },
  })
  app.put(thing.path, { config: { endpoint: thing } }, async () => 'done')
  const { paths } = (await app.inject('/account/openapi.json')).json()
  await app.close()

  const plain = { $ref: '#/components/schemas/Problem' }
  const schemaOf = (status: number) =>
    paths['/things/'].put.responses[status].content['application/problem+json'].schema
  expect(schemaOf(422)).toEqual(plain)
  expect(schemaOf(402).oneOf).toMatchObject([
    {
      allOf: [
        plain,
        {
          properties: { code: { enum: ['limit'] }, data: { properties: { most: { maximum: 9 } } } },
          required: ['data'],
        },
      ],
    },
  ])
  expect(schemaOf(409).oneOf).toMatchObject([
    { allOf: [plain, { properties: { code: { enum: ['another_member', 'no_change'] } } }] },
    {
      allOf: [
        plain,
        {
          properties: { code: { enum: ['stale', 'renamed'] }, data: { properties: { name: { type: 'string' } } } },
          required: ['data'],
        },
      ],
    },
  ])
})

/** The paths of all calls. */
const calls = [
  '/account/account-link-token/',
  '/account/activity/',
  '/account/archives/{id}/file/',
  '/account/auto-login-redact/',
  '/account/billing-addresses/',
  '/account/billing-addresses/form/',
  '/account/billing-addresses/{id}/',
  '/account/cards/',
  '/account/cards/setup-intents/',
  '/account/cards/setup-intents/{id}/finish/',
  '/account/cards/{paymentMethodId}/',
  '/account/cards/{paymentMethodId}/default/',
  '/account/change-plan-from/',
  '/account/change-plan/',
  '/account/check-cancel-sr/',
  '/account/check-transfer-email/',
  '/account/check-transfer/',
  '/account/cloud/login-ticket/',
  '/account/cloud/region/',
  '/account/computers/{id}/',
  '/account/computers/{id}/release/',
  '/account/coupon/',
  '/account/data-export/',
  '/account/dictionaries/',
  '/account/email-devices/',
  '/account/email-devices/{licenceId}/deactivate/',
  '/account/enable-pooling/',
  '/account/invitations/accept/',
  '/account/invitations/lookup/',
  '/account/invoices/download/',
  '/account/key-devices/',
  '/account/key-devices/export/',
  '/account/key-devices/keys/',
  '/account/key-devices/{id}/deactivate/',
  '/account/licenses/',
  '/account/licenses/{licenseId}/key-codes/',
  '/account/licenses/{licenseId}/keycode-file/',
  '/account/licenses/{licenseId}/keys/',
  '/account/linked-accounts/',
  '/account/member-plan-place/',
  '/account/my-products/',
  '/account/my-products/renewals/',
  '/account/my-products/renewals/dismiss/',
  '/account/offered-subscriptions/',
  '/account/offered-subscriptions/{id}/',
  '/account/offline-orders/',
  '/account/online-orders/',
  '/account/online-orders/archive/',
  '/account/online-orders/export/',
  '/account/password-reset-token/',
  '/account/payments-being-checked/',
  '/account/paypal-add-license/',
  '/account/paypal-call-back/',
  '/account/paypal-renew-subscription/',
  '/account/products/',
  '/account/profile/',
  '/account/quotes/',
  '/account/quotes/form/',
  '/account/roadmap/',
  '/account/search/',
  '/account/session/',
  '/account/sessions/',
  '/account/sessions/end-others/',
  '/account/sessions/{id}/',
  '/account/sign-out/',
  '/account/subscription-cancel/',
  '/account/subscription-renew/',
  '/account/subscription-transfer/',
  '/account/subscription/',
  '/account/subscriptions/{sid}/card/',
  '/account/subscriptions/{sid}/cards/',
  '/account/subscriptions/{sid}/not-mine/',
  '/account/subscriptions/{sid}/open-change/drop/',
  '/account/subscriptions/{sid}/payment/',
  '/account/subscriptions/{sid}/payment/finish/',
  '/account/subscriptions/{sid}/portal/',
  '/account/subscriptions/{sid}/setup-intents/',
  '/account/subscriptions/{sid}/users/',
  '/account/subscriptions/{sid}/users/license/',
  '/account/subscriptions/{sid}/users/removal/',
  '/account/subscriptions/{sid}/users/remove/',
  '/account/subscriptions/{sid}/users/resend/',
  '/account/subscriptions/{sid}/users/role/',
  '/account/support-access/',
  '/account/support-sessions/',
  '/account/support-sessions/{id}/',
  '/account/transfer-email-code/',
  '/activation/v1/activate/',
  '/activation/v1/deactivate/',
  '/activation/v1/validate/',
  '/support/leave/',
  '/support/sessions/',
]

test('the OpenAPI description has every call, its body and its problems', async () => {
  await using world = await newWorld()
  const description = (await world.request({ method: 'GET', url: '/account/openapi.json' })).json()

  expect(description.openapi).toBe('3.1.0')
  expect(Object.keys(description.paths).sort()).toEqual(calls)
  const { put: update } = description.paths['/account/profile/']
  expect(update.requestBody.content['application/json'].schema.required).toEqual([
    'firstName',
    'lastName',
    'company',
    'phone',
  ])
  expect(Object.keys(update.responses)).toEqual(expect.arrayContaining(['200', '401', '422', '429', '503']))
})
