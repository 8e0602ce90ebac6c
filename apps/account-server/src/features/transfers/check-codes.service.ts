import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import type { FieldProblem } from '@atrium/contract/problem.ts'
import type { subscriptionTransfer } from '@atrium/contract/transfers.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { isCode, isCodeUsable } from '@atrium/server-kit/email-codes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { recordRefusal } from '../activity/activity.writes.ts'
import { type CodesRow, lockNewestCodes } from './transfers.queries.ts'
import { transferCodes } from './transfers.tables.ts'

type Guess = EndpointInput<typeof subscriptionTransfer>['body']

/** A pair of codes that was guessed right, or what is wrong. */
type Checked =
  | { is: 'right'; codes: CodesRow }
  | { is: 'void' }
  | { is: 'of_another' }
  | { is: 'wrong'; errors: readonly FieldProblem[] }

/**
 * Compares both codes under their row's lock, so that of any number of guesses at most five are looked at. They stay valid until
 * the transfer uses them.
 * @throws Problem `codes_void`; `codes_of_another`, for another recipient than theirs; `invalid` with the fields that are wrong
 */
export async function checkCodes(deps: Deps, member: Member, guess: Guess): Promise<CodesRow> {
  const checked = await deps.db.transaction((tx) => compare(deps, tx, member, guess))
  // Thrown only after the transaction that counts the guess has committed.
  if (checked.is === 'void') throw new Problem('codes_void')
  if (checked.is === 'of_another') throw new Problem('codes_of_another')
  if (checked.is === 'wrong') throw new Problem('invalid', { errors: checked.errors })
  return checked.codes
}

async function compare(deps: Deps, tx: Tx, member: Member, guess: Guess): Promise<Checked> {
  const codes = await lockNewestCodes(tx, member)
  if (!codes || !areUsable(codes, deps.wallClock())) return { is: 'void' }
  if (codes.email !== guess.email) return { is: 'of_another' }
  const isCurrent = await isCode(guess.verificationCodeForCurrent, codes.currentHash)
  const isRecipients = await isCode(guess.verificationCodeForRecipient, codes.recipientHash)
  if (isCurrent && isRecipients) return { is: 'right', codes }

  await tx
    .update(transferCodes)
    .set({
      currentTriesLeft: codes.currentTriesLeft - (isCurrent ? 0 : 1),
      recipientTriesLeft: codes.recipientTriesLeft - (isRecipients ? 0 : 1),
    })
    .where(eq(transferCodes.id, codes.id))
  const who = { ...member, actor: member.id, memberId: member.id }
  await recordRefusal(tx, who, { action: 'transfer.codes_refused', target: codes.recipientId, now: deps.clock() })
  return {
    is: 'wrong',
    errors: [
      ...(isCurrent ? [] : [wrong('verificationCodeForCurrent')]),
      ...(isRecipients ? [] : [wrong('verificationCodeForRecipient')]),
    ],
  }
}

export function areUsable(codes: CodesRow, now: Date): boolean {
  const { usedAt, expiresAt, currentTriesLeft, recipientTriesLeft } = codes
  const triesLeft = Math.min(currentTriesLeft, recipientTriesLeft)
  return usedAt === null && isCodeUsable({ triesLeft, expiresAt }, now)
}

function wrong(field: keyof Guess): FieldProblem {
  return { path: `body.${field}`, code: 'code_wrong', message: 'code_wrong' }
}
