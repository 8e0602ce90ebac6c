import type { Right } from './access.rules.ts'

/**
 * The restricted key of a vendor who gives Atrium what docs/operations.md lists, and nothing else. Tests and the local stack use it, so that
 * a call without its right fails there and not in production.
 */
export const vendorKey = 'rk_test_sandbox'

/** Rights by resource, as it is in the addresses of the API; without one: none. */
export const vendorRights: readonly Right[] = [
  'customers:write',
  'payment_methods:write',
  'setup_intents:write',
  'products:write',
  'prices:write',
  'subscriptions:write',
  'subscription_schedules:write',
  'invoices:write',
  'invoiceitems:write',
  'refunds:write',
  'coupons:read',
  'setup_attempts:read',
  'payment_intents:read',
  'charges:read',
  'invoice_payments:read',
  'disputes:read',
  'events:read',
]
