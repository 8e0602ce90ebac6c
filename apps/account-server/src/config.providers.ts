import { Address, BaseAddress, List } from '@atrium/server-kit/config.ts'
import { z } from 'zod'
import { sandboxSecret, sandboxWebhookId } from './config.rules.ts'

/** The settings of the payment providers. */
export const providerSettings = {
  CARD_PROVIDER: z
    .enum(['stripe', 'none'])
    .default('stripe')
    .describe(
      'stripe, or another one that speaks its protocol; none: no cards, and nothing of the provider in the page',
    ),
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a key such as sk_live_…')
    .default('rk_test_sandbox')
    .describe('The card provider’s secret (or restricted) key'),
  STRIPE_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(test|live)_\w+$/, 'must be a key such as pk_live_…')
    .default('pk_test_sandbox')
    .describe('The card provider’s publishable key; it goes to browsers'),
  STRIPE_WEBHOOK_SECRETS: List.pipe(z.array(z.string().regex(/^whsec_[\w+/=-]+$/, 'must be secrets such as whsec_…')))
    .default([sandboxSecret])
    .describe(
      'Signing secrets of the webhook endpoint, comma-separated: both the old and the new one during a rotation',
    ),
  STRIPE_API_URL: BaseAddress.default('http://localhost:3002').describe(
    'The card provider’s API; https://api.stripe.com for the real one',
  ),
  STRIPE_SCRIPT_URL: Address.default('http://localhost:3002/cards/js/endive/stripe.js').describe(
    'The card provider’s browser SDK; https://js.stripe.com/endive/stripe.js for the real one',
  ),
  SHOP_SIGNING_SECRET: List.pipe(z.array(z.string().min(32, 'must be secrets of 32 characters or more')))
    .default([])
    .describe(
      'Signs the account references by which your shop says whose a purchase is (docs/billing.md), comma-separated: both the new and the old one during a rotation',
    ),
  STRIPE_AUTOMATIC_TAX: z
    .enum(['on', 'off'])
    .default('off')
    .describe(
      'on: the card provider computes the tax of prepaid terms that are renewed here; subscriptions have a setting of their own there',
    ),
  PAYPAL: z
    .enum(['on', 'none'])
    .default('on')
    .describe('on: PayPal’s subscriptions and payments arrive; none: nothing of PayPal'),
  PAYPAL_CLIENT_ID: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the id of an app at PayPal')
    .default('client_sandbox')
    .describe('The app’s id at PayPal'),
  PAYPAL_CLIENT_SECRET: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the secret of an app at PayPal')
    .default('secret_sandbox')
    .describe('The app’s secret'),
  PAYPAL_API_URL: BaseAddress.default('http://localhost:3002').describe(
    'PayPal’s API; https://api-m.paypal.com for the real one',
  ),
  PAYPAL_WEBHOOK_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{1,50}$/, 'must be the id of the webhook at PayPal')
    .default(sandboxWebhookId)
    .describe('The id of the webhook at PayPal: its events are signed for it'),
  PAYPAL_ROOTS: z
    .string()
    .default('http://localhost:3002/paypal/certs/root.pem')
    .describe('Roots to which PayPal’s certificates lead: system, or a PEM file; an address only for the sandbox'),
  CARD_ATTEMPTS_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(5)
    .describe('Cards that a member may try to add in an hour'),
  CARD_DECLINES_PER_HOUR: z.coerce
    .number()
    .int()
    .min(1)
    .default(3)
    .describe('Declined cards in an hour after which a member may add none for a day'),
}
