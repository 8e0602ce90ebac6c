import { z } from 'zod'
import { cardRefused } from './declines.ts'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { PaymentMethodId, SetupIntentId } from './provider-ids.ts'
import { Line, RequiredLine } from './text.ts'

/** 000 §5. */
export const maxCards = 10

/** In characters. */
export const cardLimits = { name: 32, address: 256, city: 100, zip: 20 } as const

/** The one country whose cards have a state (000 §5). */
export const stateCountry = 'US'

const BillingDetails = z.object({
  /** Fields are empty if the provider has none. */
  address: z.object({
    line1: z.string(),
    city: z.string(),
    /** Code of a US state; empty elsewhere. */
    state: z.string(),
    /** ISO 3166-1 alpha-2: the purchase location. */
    country: z.string(),
    postalCode: z.string(),
  }),
})

/** The cardholder. */
const CardMetadata = z.object({ firstName: z.string(), lastName: z.string() })

/** Credit card, 000 §3. Stored at the provider; a card number never reaches this API. */
export const CreditCard = z.object({
  id: z.string(),
  metadata: CardMetadata,
  billingDetails: BillingDetails,
  card: z.object({
    /** The provider's name: `visa`, `mastercard`, `amex`, `jcb` … or `unknown`. */
    brand: z.string(),
    last4: z.string(),
    /** 1 to 12. */
    expMonth: z.int(),
    /** Four digits. */
    expYear: z.int(),
  }),
  /** Its last month is over. */
  isExpired: z.boolean(),
  /** False: it pays for what was bought with another customer record of the member at the provider, and for nothing else. */
  canBeDefault: z.boolean(),
})
export type CreditCard = z.infer<typeof CreditCard>

export const CardList = z.object({
  /** The default first, then the newest. */
  cardList: z.array(CreditCard),
  /** Id of the default card; empty if there is none. */
  defaultPaymentID: z.string(),
  /** 1: something else than a card is charged by default, a bank account say. */
  hasOtherDefault: Flag,
})
export type CardList = z.infer<typeof CardList>

/** The provider does not answer, or its answer is not understood. Nothing was changed. */
const unreachable = { card_provider_unavailable: 503 } as const

/** The outcome of a change is unknown: it may have been made, and is resolved within two minutes. */
const unknowable = { ...unreachable, card_outcome_unknown: 502 } as const

/** Problems of a change to a card. */
const changing = {
  ...unknowable,
  /** An earlier change is not resolved yet, so this one was not made. Lasts less than a minute. */
  card_change_pending: 409,
  card_refused: cardRefused,
} as const

/** Problems after which the card is not on file. */
const notAdded = {
  card_refused: cardRefused,
  /** The bank's authentication was not completed. */
  card_not_confirmed: 409,
} as const

export const listCards = endpoint({
  method: 'GET',
  path: '/account/cards/',
  summary: 'Credit cards, the default first',
  limit: 'provider',
  support: 'read',
  reply: CardList,
  problems: unreachable,
})

/** What the page needs after a payment method was sent. */
export const SetupIntent = z.object({
  /** The setup intent. */
  id: z.string(),
  status: z.enum(['succeeded', 'requires_action']),
  /** The intent's client secret, only for the provider's browser SDK. */
  secret: z.string(),
})

/** Problems of putting a card on file. */
export const addingProblems = {
  ...unknowable,
  ...notAdded,
  card_limit: 409,
  /** This payment method is being removed. */
  card_change_pending: 409,
} as const

/**
 * Saves a payment method that the card form created at the provider (000 §4). `succeeded`: the card is on file.
 * `requires_action`: the cardholder's bank requires authentication, which the page shows with `secret` before it calls
 * `finishSetupIntent`.
 * At most five an hour; after three declined ones within an hour, none for a day (`too_often`).
 */
export const createSetupIntent = endpoint({
  method: 'POST',
  path: '/account/cards/setup-intents/',
  summary: 'Save a payment method as a card of the member',
  limit: 'provider',
  body: z.object({
    paymentMethodId: PaymentMethodId,
    /** The card that it is to replace: it can pay for the same. */
    besides: PaymentMethodId.optional(),
  }),
  reply: SetupIntent,
  problems: addingProblems,
})

/** After the bank's authentication, whatever its result: the server asks the provider and does not trust the page. */
export const finishSetupIntent = endpoint({
  method: 'POST',
  path: '/account/cards/setup-intents/:id/finish/',
  summary: 'Finish adding a card after the bank’s authentication',
  limit: 'provider',
  params: z.object({ id: SetupIntentId }),
  reply: CardList.extend({ paymentMethodId: z.string() }),
  problems: { ...unknowable, ...notAdded },
})

/** The content of the edit dialog (000 §7). */
export const readCard = endpoint({
  method: 'GET',
  path: '/account/cards/:paymentMethodId/',
  summary: 'A card, with the choices of its edit dialog',
  limit: 'provider',
  params: z.object({ paymentMethodId: PaymentMethodId }),
  query: z.object({ lang: LocaleCode.default('en-us') }),
  reply: z.object({
    detail: z.object({
      countryList: z.array(z.object({ code: z.string(), name: z.string() })),
      usaStateList: z.array(z.object({ code: z.string(), name: z.string() })),
      billingDetails: BillingDetails,
      /** The profile's name if the card has none yet. */
      metadata: CardMetadata,
    }),
  }),
  problems: unreachable,
})

/** 000 §5. A state is required for the US, and dropped elsewhere. */
export const CardEdit = z
  .object({
    firstname: Line(cardLimits.name).default(''),
    lastname: Line(cardLimits.name).default(''),
    country: z.string().regex(/^[A-Z]{2}$/, 'purchase_location_required'),
    address: Line(cardLimits.address).default(''),
    state: Line(10).default(''),
    city: RequiredLine(cardLimits.city, 'city_required'),
    zip: RequiredLine(cardLimits.zip, 'zip_required'),
  })
  .superRefine(({ country, state }, context) => {
    if (country === stateCountry && state === '') {
      context.addIssue({ code: 'custom', path: ['state'], message: 'state_required' })
    }
  })
export type CardEdit = z.infer<typeof CardEdit>

export const updateCard = endpoint({
  method: 'PUT',
  path: '/account/cards/:paymentMethodId/',
  summary: 'Change a card’s holder and billing address',
  limit: 'provider',
  params: z.object({ paymentMethodId: PaymentMethodId }),
  body: CardEdit,
  reply: CardList,
  problems: changing,
})

export const setDefaultCard = endpoint({
  method: 'PUT',
  path: '/account/cards/:paymentMethodId/default/',
  summary: 'Make a card the default',
  limit: 'provider',
  params: z.object({ paymentMethodId: PaymentMethodId }),
  reply: CardList,
  problems: { ...changing, card_cannot_be_default: 409 },
})

export const removeCard = endpoint({
  method: 'DELETE',
  path: '/account/cards/:paymentMethodId/',
  summary: 'Remove a card',
  limit: 'provider',
  params: z.object({ paymentMethodId: PaymentMethodId }),
  query: z.object({
    /** 1: the default card pays from now on for the subscriptions that have this one. */
    replace: z.enum(['0', '1']).default('0'),
    /** Another card that takes over what this one does: it becomes the default if this is it, and pays for its subscriptions. */
    successor: PaymentMethodId.optional(),
  }),
  reply: CardList,
  problems: {
    ...changing,
    /** It pays for a subscription, and no card is the default that would pay instead. */
    default_card_needed: 409,
    /** The same where no card can be the default. */
    card_pays_alone: 409,
    /** Subscriptions are paid with it; `data` names their products. */
    card_in_use: { status: 409, data: z.object({ products: z.array(z.string()) }) },
    /** The default can only be replaced by another one. */
    default_required: { status: 409, data: CardList },
  },
})
