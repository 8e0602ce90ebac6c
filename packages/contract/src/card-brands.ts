/** Spelled as the card schemes do; not translated. */
const brandNames: Readonly<Record<string, string>> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** The name of a brand; undefined if the provider does not know it. */
export function brandName(brand: string): string | undefined {
  return Object.hasOwn(brandNames, brand) ? brandNames[brand] : undefined
}
