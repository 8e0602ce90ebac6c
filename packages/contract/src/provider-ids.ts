import { z } from 'zod'

/**
 * Ids of the card provider's objects, in the shapes that it documents, so that nothing else, a card number least of all, is
 * taken for one and stored.
 */

/** Cards from before payment methods keep the id of their kind: `card_…`, `src_…`. */
export const PaymentMethodId = z.string().regex(/^(pm|card|src)_\w{1,250}$/, 'must be like pm_…, card_… or src_…')

export const SetupIntentId = z.string().regex(/^seti_\w{1,250}$/, 'must be like seti_…')

export const ProviderCustomerId = z.string().regex(/^cus_\w{1,250}$/, 'must be like cus_…')
