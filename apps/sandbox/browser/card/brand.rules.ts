import type { StripeCardNumberElementChangeEvent } from '@stripe/stripe-js'

export type Brand = StripeCardNumberElementChangeEvent['brand']

interface Network {
  brand: Brand
  /** Matches the first digits that identify this network. */
  prefix: RegExp
  /** Possible lengths of a number, ascending. */
  lengths: readonly [number, ...number[]]
  /** The groups in which a number is printed on the card. */
  groups: readonly number[]
  codeLengths: readonly [number, ...number[]]
}

const fours = [4, 4, 4, 4, 3]

const networks: readonly Network[] = [
  { brand: 'visa', prefix: /^4/, lengths: [16], groups: fours, codeLengths: [3] },
  {
    brand: 'mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: fours,
    codeLengths: [3],
  },
  { brand: 'amex', prefix: /^3[47]/, lengths: [15], groups: [4, 6, 5], codeLengths: [4] },
  { brand: 'discover', prefix: /^(6011|64[4-9]|65)/, lengths: [16], groups: fours, codeLengths: [3] },
  { brand: 'diners', prefix: /^36/, lengths: [14], groups: [4, 6, 4], codeLengths: [3] },
  { brand: 'diners', prefix: /^3(0[0-59]|[89])/, lengths: [16], groups: fours, codeLengths: [3] },
  { brand: 'jcb', prefix: /^35/, lengths: [16], groups: fours, codeLengths: [3] },
  { brand: 'unionpay', prefix: /^(62|81)/, lengths: [16, 17, 18, 19], groups: fours, codeLengths: [3] },
]

const unknown: Network = { brand: 'unknown', prefix: /^/, lengths: [16], groups: fours, codeLengths: [3, 4] }

/** The network of a complete or partial number. @param digits digits only */
export function networkOf(digits: string): Network {
  return networks.find(({ prefix }) => prefix.test(digits)) ?? unknown
}

/** Possible lengths of a brand's security code, ascending. */
export function codeLengthsOf(brand: Brand): readonly [number, ...number[]] {
  return (networks.find((network) => network.brand === brand) ?? unknown).codeLengths
}
