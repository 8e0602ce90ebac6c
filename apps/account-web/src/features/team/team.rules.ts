import { emailPattern } from '@atrium/contract/email.ts'
import { maxInvitations, type TeamAction } from '@atrium/contract/team.ts'

/** The addresses in what was typed or pasted, separated by commas, semicolons, spaces or lines; each once. */
export function addressesIn(typed: string): string[] {
  const all = typed.split(/[\s,;]+/).filter((address) => address !== '')
  return [...new Map(all.map((address) => [address.toLowerCase(), address])).values()]
}

/** Why none of these addresses can be invited, as a code of the `problems` texts; otherwise the server says which ones cannot. */
export function addressesFault(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return 'email_required'
  if (addresses.length > maxInvitations) return 'too_many_invitations'
  return addresses.some((address) => emailPattern.test(address)) ? undefined : 'email_invalid'
}

/** The message of each action's success, as a key of the texts. */
export const doneText = {
  'change-role': 'roleChanged',
  remove: 'removed',
  activate: 'activated',
  deactivate: 'deactivated',
} as const satisfies Record<ConfirmedAction, string>

/** What is asked before it is done: an invitation that is sent again changes nothing for anybody. */
export type ConfirmedAction = Exclude<TeamAction, 'resend'>

export function isConfirmed(action: TeamAction): action is ConfirmedAction {
  return action !== 'resend'
}
