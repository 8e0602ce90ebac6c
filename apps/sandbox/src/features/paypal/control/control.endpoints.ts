import { z } from 'zod'
import { payers } from '../approval/approval.rules.ts'

export const Id = z.object({ id: z.string().regex(/^[\w-]{1,64}$/) })

const base = { access: 'device' } as const
const done = z.object({})

export const expireTokensEndpoint = {
  ...base,
  method: 'POST',
  path: '/paypal/control/tokens/expire/',
  summary: 'All access tokens expire',
  reply: done,
} as const

export const buyersEndpoints = {
  answer: {
    ...base,
    method: 'POST',
    path: '/paypal/control/approvals/',
    summary: 'Approves as the buyer does on the page of a link',
    body: z.object({
      link: z.url(),
      answer: z.enum(['approve', 'no-funds']).default('approve'),
      payer: z.enum(payers).default('buyer'),
    }),
    reply: z.object({ location: z.string().nullable() }),
  },
  funds: {
    ...base,
    method: 'PUT',
    path: '/paypal/control/funds/:id/',
    summary: 'From now on the charges of a subscription or an order succeed, or fail',
    params: Id,
    body: z.object({ hasFunds: z.boolean() }),
    reply: done,
  },
  lateness: {
    ...base,
    method: 'PUT',
    path: '/paypal/control/lateness/:id/',
    summary: 'From now on the cycles of a subscription are billed so many hours late',
    params: Id,
    body: z.object({ hours: z.int().min(0).max(240) }),
    reply: done,
  },
  echecks: {
    ...base,
    method: 'PUT',
    path: '/paypal/control/echecks/:id/',
    summary: 'From now on the charges of a subscription are pending until they clear, or are completed at once',
    params: Id,
    body: z.object({ paysByEcheck: z.boolean() }),
    reply: done,
  },
  clear: {
    ...base,
    method: 'POST',
    path: '/paypal/control/payments/:id/clear/',
    summary: 'A pending payment of a subscription clears, or is denied',
    params: Id,
    body: z.object({ isCleared: z.boolean().default(true) }),
    reply: done,
  },
  cancel: {
    ...base,
    method: 'POST',
    path: '/paypal/control/subscriptions/:id/cancel/',
    summary: 'Cancels a subscription, as the buyer or the merchant does at PayPal',
    params: Id,
    body: z.object({ by: z.enum(['buyer', 'merchant']).default('buyer') }),
    reply: done,
  },
  voidOrder: {
    ...base,
    method: 'POST',
    path: '/paypal/control/orders/:id/void/',
    summary: 'Voids an order that is not paid',
    params: Id,
    reply: done,
  },
  refund: {
    ...base,
    method: 'POST',
    path: '/paypal/control/payments/:id/refund/',
    summary: 'Refunds the rest of a payment, as the merchant does at PayPal',
    params: Id,
    reply: done,
  },
} as const

export const eventsEndpoints = {
  ensure: {
    ...base,
    method: 'PUT',
    path: '/paypal/control/webhooks/',
    summary: 'A webhook with an address and an id of the caller’s choice',
    body: z.object({
      url: z.url({ protocol: /^https?$/ }),
      id: z
        .string()
        .regex(/^[0-9A-Z]{17}$/)
        .optional(),
      eventTypes: z.array(z.string()).min(1).default(['*']),
    }),
    reply: z.object({ id: z.string(), url: z.string(), eventTypes: z.array(z.string()) }),
  },
  roll: {
    ...base,
    method: 'POST',
    path: '/paypal/control/certificate/roll/',
    summary: 'Further events are signed with a new certificate',
    reply: z.object({ id: z.string() }),
  },
} as const
