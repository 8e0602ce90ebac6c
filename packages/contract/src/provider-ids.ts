import { z } from 'zod'

/**
 * Ids of the card provider's objects in their documented forms, so that nothing else, such as a card number, is accepted and
 * stored.
 */

/** Cards that are older than payment methods keep ids of the form `card_…` or `src_…`. */
export const PaymentMethodId = z.string().regex(/^(pm|card|src)_\w{1,250}$/, 'must be like pm_…, card_… or src_…')

export const SetupIntentId = z.string().regex(/^seti_\w{1,250}$/, 'must be like seti_…')

export const ProviderCustomerId = z.string().regex(/^cus_\w{1,250}$/, 'must be like cus_…')
