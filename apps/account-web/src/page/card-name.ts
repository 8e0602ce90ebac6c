import { brandName } from '@atrium/contract/card-brands.ts'

/** `Visa •••• 4242`; the number does not wrap. @param unknown instead of a brand that is not known */
export function cardName({ brand, last4 }: { brand: string; last4: string }, unknown = ''): string {
  return [brandName(brand) ?? unknown, `••••\u00a0${last4}`].filter(Boolean).join(' ')
}
