/**
 * How it is known that a provider's object is a member's. Whoever pays types an address, so `address` alone shows what was paid and
 * no more: nothing there is charged by an action here.
 * - `ours`: Atrium created it for the member, the vendor's secret key wrote the member's id to it, or the member has put the same
 *   card on file.
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
