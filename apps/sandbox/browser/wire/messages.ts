import * as z from 'zod/mini'
import { faults } from '../card/verdict.rules.ts'

/**
 * The messages between the merchant's page and the provider's frames. Every message has the channel of its frame, and is
 * sent to and accepted from one exact origin.
 */

/** Id of a question and its answer, assigned by the sender. */
const id = z.int()

export const elementTypes = ['payment', 'card', 'cardNumber', 'cardExpiry', 'cardCvc'] as const
export type ElementType = (typeof elementTypes)[number]

const text = z.string().check(z.maxLength(5000))
const brand = z.enum(['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay', 'unknown'])
/** CSS properties by name, in one level of states such as `:focus`. */
const properties = z.record(z.string(), z.union([text, z.number()]))
const variant = z.record(z.string(), z.union([text, z.number(), properties]))

const fieldChoice = z.enum(['auto', 'never'])

/** The appearance and fields of an element. */
export const Configuration = z.object({
  type: z.enum(elementTypes),
  locale: text,
  appearance: z.object({
    theme: z.enum(['stripe', 'night', 'flat']),
    variables: z.record(z.string(), text),
    rules: z.record(z.string(), z.record(z.string(), text)),
  }),
  /** Of the split elements and `card`. */
  style: z.record(z.string(), variant),
  placeholder: z.optional(text),
  isDisabled: z.boolean(),
  hasIcon: z.boolean(),
  /** The card will be saved, so the terms are shown. */
  isSaved: z.boolean(),
  payment: z.object({
    layout: z.enum(['plain', 'accordion']),
    isCollapsed: z.boolean(),
    hasRadio: z.boolean(),
    hasTerms: z.boolean(),
    business: z.optional(text),
    country: fieldChoice,
    postalCode: fieldChoice,
  }),
  /** Values that the merchant already has. */
  known: z.object({ country: z.optional(text), postalCode: z.optional(text) }),
})
export type Configuration = z.infer<typeof Configuration>

const Fault = z.object({ code: z.enum(faults), message: text })
export type FaultMessage = z.infer<typeof Fault>

/** The state of an element. */
export const Standing = z.object({
  isEmpty: z.boolean(),
  isComplete: z.boolean(),
  isCollapsed: z.boolean(),
  isAutofilled: z.boolean(),
  fault: z.optional(Fault),
  brand,
  postalCode: text,
})
export type Standing = z.infer<typeof Standing>

/** To the frame of an element. */
export const ToElement = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('configure'), id, configuration: Configuration }),
  /** Requests the first fault; every fault is shown from now on. */
  z.object({ kind: z.literal('validate'), id }),
  /** The brand of the number in another frame. */
  z.object({ kind: z.literal('brand'), brand }),
  z.object({ kind: z.literal('focus') }),
  z.object({ kind: z.literal('blur') }),
  z.object({ kind: z.literal('clear') }),
  z.object({ kind: z.literal('collapse') }),
])
export type ToElement = z.infer<typeof ToElement>

/** From the frame of an element. */
export const FromElement = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('change'), standing: Standing }),
  z.object({ kind: z.literal('focus') }),
  z.object({ kind: z.literal('blur') }),
  z.object({ kind: z.literal('escape') }),
  /** Enter was pressed in a field. */
  z.object({ kind: z.literal('submit') }),
  z.object({ kind: z.literal('height'), height: z.number() }),
  z.object({ kind: z.literal('answer'), id, fault: z.optional(Fault) }),
])
export type FromElement = z.infer<typeof FromElement>

/** Parameters as the API names them; an inner object becomes `outer[inner]`. */
export interface Parameters {
  [name: string]: string | number | boolean | null | undefined | Parameters
}
const parameters: z.ZodMiniType<Parameters> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.undefined(), z.lazy(() => parameters)]),
)

/** API paths that accept a card, by the path of the card among the parameters. */
const takesCard = {
  '': /^\/v1\/payment_methods$/,
  payment_method_data: /^\/v1\/(setup|payment)_intents\/\w+\/confirm$/,
} as const

/** A call of the provider's API. */
const Request = z
  .object({
    method: z.enum(['GET', 'POST']),
    path: z
      .string()
      .check(z.regex(/^\/v1\/(payment_methods|(setup|payment)_intents\/\w+(\/(confirm|source_cancel))?)$/)),
    parameters,
    /** Where to insert the card from other frames, which never passes through the merchant's page. */
    card: z.optional(z.object({ frames: z.array(text), at: z.enum(['', 'payment_method_data']) })),
  })
  // The parameters of a GET are in its address.
  .check(z.refine(({ method, path, card }) => !card || (method === 'POST' && takesCard[card.at].test(path))))
export type Request = z.infer<typeof Request>

/** To the controller, which calls the API. */
export const ToController = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id, key: text, locale: text, request: Request }),
])
export type ToController = z.infer<typeof ToController>

/** From the controller: the API's reply, or the error. */
export const FromController = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('answer'), id, reply: z.record(z.string(), z.unknown()) }),
])
export type FromController = z.infer<typeof FromController>

/** To the frame in which the bank's page is shown. */
export const ToChallenge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('show'), url: text, locale: text }),
])
export type ToChallenge = z.infer<typeof ToChallenge>

/** From that frame: a page of the bank loaded, or the cardholder closed it. */
export const FromChallenge = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello') }),
  z.object({ kind: z.literal('loaded') }),
  z.object({ kind: z.literal('closed') }),
])
export type FromChallenge = z.infer<typeof FromChallenge>

/** A request of a frame to a sibling, between the provider's frames only, answered through a private port. */
export const CollectRequest = z.object({ kind: z.literal('collect'), channel: z.string() })

/** The values of one frame's fields. */
export const Collected = z.object({
  card: z.object({
    number: z.optional(z.string()),
    exp_month: z.optional(z.number()),
    exp_year: z.optional(z.number()),
    cvc: z.optional(z.string()),
  }),
  address: z.object({ country: z.optional(z.string()), postal_code: z.optional(z.string()) }),
})
export type Collected = z.infer<typeof Collected>
