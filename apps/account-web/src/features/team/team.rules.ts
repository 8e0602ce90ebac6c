import { emailFault, emailForm } from '@atrium/contract/email.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import { type InvitationResult, maxInvitations, type SubscriptionUser, type TeamAction } from '@atrium/contract/team.ts'

/**
 * The addresses in what was typed or pasted, separated by commas, semicolons or lines; each once. Of `Name <address>`, as mail
 * programs copy it, the address counts. Spaces separate only whole addresses: half of a mistyped one may be somebody else's.
 * Full-width signs, as Chinese and Japanese keyboards type them, are taken for the usual ones; a letter is what was typed, since another
 * one makes another address.
 */
export function addressesIn(typed: string): string[] {
  const plain = typed.replaceAll(fullWidthSigns, (sign) => sign.normalize('NFKC'))
  return [...new Set((plain.match(betweenSeparators) ?? []).flatMap(entriesOf).map(emailForm))]
}

const fullWidthSigns = /[\u3000＂＇（），．；＜＞＠]/g

/** A name in quotation marks may contain a comma: `"Klein, Eva" <eva@example.com>`. */
const betweenSeparators = /(?:"[^"\n]*"|[^,;、\n])+/g

const named = /^[^@<>]*<([^<>]*)>$/

function entriesOf(typed: string): string[] {
  const address = named.exec(typed.trim())?.[1]
  if (address !== undefined) return [address.trim()]
  const parts = typed.split(/\s+/).filter((part) => part !== '')
  if (parts.length === 0) return []
  return parts.every((part) => !emailFault(emailForm(part))) ? parts : [parts.join(' ')]
}

/** What is not an email address at all, of what was typed. */
export function invalidAddresses(addresses: readonly string[]): string[] {
  return addresses.filter((address) => emailFault(address))
}

/** Why these addresses are not sent, as a code of the `problems` texts; otherwise the server says which ones it cannot invite. */
export function addressesFault(addresses: readonly string[]): string | undefined {
  if (addresses.length === 0) return 'email_required'
  if (addresses.length > maxInvitations) return 'too_many_invitations'
  return invalidAddresses(addresses).length > 0 ? 'email_invalid' : undefined
}

/** What can be done about a refusal in the form; the others are users or invited already, or the caller. */
const correctable: readonly InvitationResult[] = ['invalid', 'no_seat', 'too_many_setup_admins', 'too_often']

/** The refused addresses that can be corrected, or invited in another way, as they are typed. */
export function toCorrect(results: readonly { email: string; result: InvitationResult }[]): string {
  return results.flatMap(({ email, result }) => (correctable.includes(result) ? email : [])).join(', ')
}

interface Seats {
  canAdd: 0 | 1
  /** Seats taken. */
  joinCount: number
  /** Seats paid. */
  userCount: number
}

/** Why no Member can be added, as a key of the texts. */
export function obstacleToAdding({ canAdd, joinCount, userCount }: Seats): 'overused' | 'closed' | 'full' | undefined {
  if (joinCount > userCount) return 'overused'
  if (canAdd === 0) return 'closed'
  return joinCount >= userCount ? 'full' : undefined
}

/** The message of a change's success, as a key of the texts. */
export function doneText(confirmation: ChangeQuestion) {
  if (confirmation === 'withdraw') return 'withdrawn'
  if (confirmation === 'activate') return 'activated'
  return confirmation === 'deactivate' ? 'deactivated' : 'roleChanged'
}

/** What is asked before it is done: an invitation that is sent again changes nothing for anybody. */
export type ConfirmedAction = Exclude<TeamAction, 'resend'>

export function isConfirmed(action: TeamAction): action is ConfirmedAction {
  return action !== 'resend'
}

/** Which question a user's change asks first, as a key of the texts. */
export function confirmationOf({ type, status }: Pick<SubscriptionUser, 'type' | 'status'>, action: ConfirmedAction) {
  if (action === 'change-role') {
    if (type === seatTypes.member) return 'toSetupAdmin'
    return type === seatTypes.admin ? 'adminToMember' : 'toMember'
  }
  if (action === 'remove') return status === 'Pending' ? 'withdraw' : 'remove'
  return action
}

/** The removal of a person has a dialog of its own, since the server knows what it does. */
export type ChangeQuestion = Exclude<ReturnType<typeof confirmationOf>, 'remove'>

/** What its dialog says that it does: a seat becomes free only if the person has one, or the invitation holds one for them. */
export function effectOf(
  { type, isUse, isExpired }: Pick<SubscriptionUser, 'type' | 'isUse' | 'isExpired'>,
  confirmation: ChangeQuestion,
) {
  const isAboutLicense = confirmation === 'toSetupAdmin' || confirmation === 'adminToMember'
  if (isAboutLicense && isUse === 0) return 'effectWithoutLicense'
  if (confirmation === 'withdraw' && (type === seatTypes.setupAdmin || isExpired === 1)) return 'effectWithoutSeat'
  return 'effect'
}
