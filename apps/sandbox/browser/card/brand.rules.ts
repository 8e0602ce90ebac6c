import type { StripeCardNumberElementChangeEvent } from '@stripe/stripe-js'

export type Brand = StripeCardNumberElementChangeEvent['brand']

interface Network {
  brand: Brand
  /** Of numbers that are this network's, as soon as it can be told. */
  prefix: RegExp
  /** How many digits a number may have, the fewest first. */
  lengths: readonly [number, ...number[]]
  /** How a number is printed on the card. */
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

/** The network of a number, typed in part or whole. @param digits digits alone */
export function networkOf(digits: string): Network {
  return networks.find(({ prefix }) => prefix.test(digits)) ?? unknown
}

/** How many digits the security code of a brand's cards may have, the fewest first. */
export function codeLengthsOf(brand: Brand): readonly [number, ...number[]] {
  return (networks.find((network) => network.brand === brand) ?? unknown).codeLengths
}
