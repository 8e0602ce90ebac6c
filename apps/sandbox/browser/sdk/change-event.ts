import type {
  StripeCardCvcElementChangeEvent,
  StripeCardElementChangeEvent,
  StripeCardExpiryElementChangeEvent,
  StripeCardNumberElementChangeEvent,
  StripePaymentElementChangeEvent,
} from '@stripe/stripe-js'
import type { ElementType, FaultMessage, Standing } from '../wire/messages.ts'

/** What a handler of `change` is given. */
export function changeEvent(type: ElementType, standing: Standing) {
  const { isEmpty: empty, isComplete: complete, brand } = standing
  const error = standing.fault && validationError(standing.fault)

  if (type === 'payment') {
    const { isCollapsed: collapsed } = standing
    return {
      elementType: type,
      empty,
      complete,
      collapsed,
      value: { type: 'card' },
    } satisfies StripePaymentElementChangeEvent
  }
  if (type === 'card') {
    const value = { postalCode: standing.postalCode }
    return { elementType: type, empty, complete, error, value, brand } satisfies StripeCardElementChangeEvent
  }
  if (type === 'cardNumber') {
    return { elementType: type, empty, complete, error, brand } satisfies StripeCardNumberElementChangeEvent
  }
  return { elementType: type, empty, complete, error } satisfies
    | StripeCardExpiryElementChangeEvent
    | StripeCardCvcElementChangeEvent
}

/** A fault of a field as the SDK's own error. */
export function validationError({ code, message }: FaultMessage) {
  return { type: 'validation_error' as const, code, message }
}
