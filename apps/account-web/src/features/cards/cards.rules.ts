import type { CardEdit, readCard } from '@atrium/contract/cards.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'

/** `08/2034`: as printed on the card, in every language. */
export function expiryText({ expMonth, expYear }: { expMonth: number; expYear: number }): string {
  return `${String(expMonth).padStart(2, '0')}/${expYear}`
}

/** The initial values of the edit dialog. */
export function editOf({ detail }: EndpointReply<typeof readCard>): CardEdit {
  const { line1, city, state, country, postalCode } = detail.billingDetails.address
  const { firstName, lastName } = detail.metadata
  return { firstname: firstName, lastname: lastName, country, address: line1, state, city, zip: postalCode }
}
