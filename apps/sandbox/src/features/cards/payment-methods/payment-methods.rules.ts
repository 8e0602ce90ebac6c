import type Stripe from 'stripe'

/** What a publishable key is shown of a card: nothing by which two cards could be told to be the same. */
export function forBrowsers(method: Stripe.PaymentMethod): Stripe.PaymentMethod {
  if (!method.card) return method
  const { fingerprint: _fingerprint, ...card } = method.card
  return { ...method, card }
}

/** Why an attempt failed, as a publishable key is told. */
export function errorForBrowsers<Failure extends { payment_method?: Stripe.PaymentMethod }>(
  error: Failure | null,
): Failure | null {
  return error?.payment_method ? { ...error, payment_method: forBrowsers(error.payment_method) } : error
}
