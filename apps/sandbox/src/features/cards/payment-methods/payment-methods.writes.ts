import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call } from '../requests/call.ts'
import { findLocked, save } from '../store/store.ts'
import type { StoredOf } from '../store/stored.ts'
import { numberOfToken } from '../test-cards/test-cards.rules.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import {
  address,
  integer,
  mergedMetadata,
  metadata,
  oneOf,
  present,
  text,
  unsettable,
} from '../wire/parameters.rules.ts'
import { invalidRequest, type Missing, noSuch } from '../wire/refusal.ts'
import { readCard } from './card.rules.ts'

export const billingDetails = z.strictObject({
  address: unsettable(address).optional(),
  email: unsettable(text(512)).optional(),
  name: unsettable(text()).optional(),
  phone: unsettable(text()).optional(),
  tax_id: text().optional(),
})

/** Parameters of a card; also `payment_method_data` of an intent. */
export const newMethod = {
  type: oneOf(['card']),
  card: z
    .strictObject({
      number: text(40).optional(),
      exp_month: integer({ most: 9999 }).optional(),
      exp_year: integer({ most: 9999 }).optional(),
      cvc: text(10).optional(),
      token: text().optional(),
    })
    .optional(),
  allow_redisplay: oneOf(['always', 'limited', 'unspecified']).optional(),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
}

export const NewMethod = z.strictObject(newMethod)
export type NewMethod = z.output<typeof NewMethod>

/** Creates a payment method from a card, not attached to a customer yet. */
export async function createPaymentMethod(call: Call, given: NewMethod): Promise<StoredOf<'payment_method'>> {
  if (!given.card) throw invalidRequest('Missing required param: card.', { code: 'parameter_missing', param: 'card' })
  const { card, behavior, isCvcGiven } = readCard(given.card, call.now)
  const object: Stripe.PaymentMethod = {
    id: newId('pm_'),
    object: 'payment_method',
    allow_redisplay: given.allow_redisplay ?? 'unspecified',
    billing_details: changedDetails(noDetails, given.billing_details ?? {}),
    card,
    created: epochSeconds(call.now),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: mergedMetadata({}, given.metadata),
    type: 'card',
  }
  const stored: StoredOf<'payment_method'> = {
    kind: 'payment_method',
    object,
    hidden: { behavior, isCvcGiven, isSetUp: false, isSpent: false },
  }
  await save(call.tx, stored)
  return stored
}

const noDetails: Stripe.PaymentMethod.BillingDetails = {
  address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
  email: null,
  name: null,
  phone: null,
  tax_id: null,
}

export function changedDetails(
  before: Stripe.PaymentMethod.BillingDetails,
  given: z.output<typeof billingDetails>,
): Stripe.PaymentMethod.BillingDetails {
  const { address, ...more } = given
  return { ...before, ...present(more), ...(address !== undefined && { address: address ?? noDetails.address }) }
}

/**
 * Locks a payment method. Each use of `pm_card_visa` and its like creates a new one.
 * @throws Refusal if it does not exist
 */
export async function paymentMethod(
  call: Call,
  id: string,
  missing: Missing = {},
): Promise<StoredOf<'payment_method'>> {
  if (numberOfToken(id) !== undefined && id.startsWith('pm_')) {
    return createPaymentMethod(call, { type: 'card', card: { token: id } })
  }
  const found = await findLocked(call.tx, 'payment_method', id)
  if (!found) throw noSuch('PaymentMethod', id, { param: 'payment_method', ...missing })
  return found
}
