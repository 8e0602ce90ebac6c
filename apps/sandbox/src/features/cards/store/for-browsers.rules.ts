import type Stripe from 'stripe'

/** What a publishable key may see of a card: nothing that reveals that two cards are the same. */
export function forBrowsers(method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  if (!method.card) return method
  const { fingerprint: _fingerprint, ...card } = method.card
  return { ...method, card }
}

/** Why an attempt failed, as a publishable key may see it. */
export function errorForBrowsers<Failure extends { payment_method?: Stripe.PaymentMethod }>(
  error: Failure | null,
): Failure | null {
  return error?.payment_method ? { ...error, payment_method: forBrowsers(error.payment_method) } : error
}
