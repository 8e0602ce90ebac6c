/** The texts of the fields. Placeholders are in braces. */
export const en = {
  cardNumber: 'Card number',
  expiry: 'Expiration date',
  code: 'Security code',
  country: 'Country',
  zip: 'ZIP code',
  postalCode: 'Postal code',
  card: 'Card',
  expiryPlaceholder: 'MM / YY',
  codePlaceholder: 'CVC',
  terms:
    'By providing your card information, you allow {business} to charge your card for future payments in accordance with their terms.',
  paymentFrame: 'Secure payment input frame',
  cardFrame: 'Secure card payment input frame',
  cardNumberFrame: 'Secure card number input frame',
  cardExpiryFrame: 'Secure expiration date input frame',
  cardCvcFrame: 'Secure CVC input frame',
  controllerFrame: 'Connection to the card provider',
  authentication: 'Authentication by your bank',
  close: 'Close',
  incomplete_number: 'Your card number is incomplete.',
  invalid_number: 'Your card number is invalid.',
  incomplete_expiry: "Your card's expiration date is incomplete.",
  invalid_expiry_month: "Your card's expiration month is invalid.",
  invalid_expiry_month_past: "Your card's expiration date is in the past.",
  invalid_expiry_year: "Your card's expiration year is invalid.",
  invalid_expiry_year_past: "Your card's expiration year is in the past.",
  incomplete_cvc: "Your card's security code is incomplete.",
  incomplete_zip: 'Your postal code is incomplete.',
  connection:
    'We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
}

export type Texts = Readonly<Record<keyof typeof en, string>>
