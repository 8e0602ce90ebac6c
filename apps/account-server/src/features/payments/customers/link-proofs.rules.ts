/**
 * How it is known that a provider's object is a member's. Whoever pays types an address, so `address` alone shows what was paid and
 * no more: nothing there is charged by an action here.
 * - `ours`: Atrium created it for the member, the vendor's secret key wrote the member's id to it, or the member has put on file the card
 *   that paid first.
 * - `vendor`: a file, a command, or what only the vendor can make at the provider.
 * - `signed`: the account reference that the vendor's shop signed.
 * - `address`: somebody typed the member's verified address.
 */
export const linkProofs = ['ours', 'vendor', 'signed', 'address'] as const

export type LinkProof = (typeof linkProofs)[number]

/** Whether more than a typed address says so. */
export function isProven(proof: LinkProof): boolean {
  return proof !== 'address'
}

/** What stands at the object itself, then what the vendor has said of many at once, as in a file, then what somebody has typed. */
const weights = { ours: 2, signed: 2, vendor: 1, address: 0 } as const satisfies Record<LinkProof, number>

/**
 * Whether one word about whose something is yields to another, which names somebody else. Of two that weigh the same, the first stays.
 * `link-customer` is a word about one object: what it says is stored as the vendor's, and weighs as much as what the vendor's key writes there.
 */
export function yieldsTo(before: LinkProof, next: LinkProof): boolean {
  return weights[before] < weights[next]
}

/** Whether a word about this very object corrects it. */
export function isCorrectable(proof: LinkProof): boolean {
  return yieldsTo(proof, 'ours')
}

/** Proofs of which that is true. */
export const correctableProofs = linkProofs.filter(isCorrectable)

export interface Proven {
  proof: LinkProof
  /** Whether what proves it is one card of the customer, or one thing that was bought there, and not what the customer itself says. */
  isPartlyProven: boolean
}

/**
 * Whether the cards of the customer are the member's: what proves a single card or purchase says nothing of the others there, which may
 * have been entered by whoever typed the member's address.
 */
export function isWhollyProven({ proof, isPartlyProven }: Proven): boolean {
  return isProven(proof) && !isPartlyProven
}
