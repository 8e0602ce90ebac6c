import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import { secondsBetweenCodes, type transferEmailCode } from '@atrium/contract/transfers.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { codeLimits, hashOfCode, newCode, secondsToNextCode } from '@atrium/server-kit/email-codes.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { lockCaller } from '../../db/members.queries.ts'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { soldPrices } from '../catalog/catalog.queries.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { payerOf } from './recipient-card.service.ts'
import { expectRecipient, readMoving } from './transfer-eligibility.service.ts'
import { codeEmails } from './transfer-emails.ts'
import { codesSentSince } from './transfers.queries.ts'
import { offerOf } from './transfers.rules.ts'
import { transferCodes } from './transfers.tables.ts'

const hourMs = 3_600_000
const mostAnHour = 5

/**
 * Sends a code to each of both mailboxes; the recipient's says what they accept by giving it. Earlier codes are void.
 * @throws Problem `transfer_not_possible`, `transfer_not_allowed`, `too_often`, `payment_provider_unavailable`
 */
export async function sendCodes(
  deps: Deps,
  member: Member,
  { email, lang }: EndpointInput<typeof transferEmailCode>['body'],
) {
  const found = await expectRecipient(deps, deps.db, member, email)
  await readMoving(deps, found)
  const payer = await payerOf(deps, found.recipient)
  const codes = { current: newCode(), recipient: newCode() }
  const hashes = { currentHash: await hashOfCode(codes.current), recipientHash: await hashOfCode(codes.recipient) }

  return deps.db.transaction(async (tx) => {
    const sender = await lockCaller(tx, member)
    const now = deps.wallClock()
    await expectSeldom(tx, member, now)
    const { recipient, moving } = await expectRecipient(deps, tx, member, email)
    const offer = offerOf(moving, { ...payer, prices: await soldPrices(tx, 'card') })
    const expiresAt = new Date(now.getTime() + codeLimits.lifeMs)
    await tx.insert(transferCodes).values({
      ...{ memberId: member.id, recipientId: recipient.id, email: recipient.email, ...hashes, offer },
      ...{ currentTriesLeft: codeLimits.tries, recipientTriesLeft: codeLimits.tries, sentAt: now, expiresAt },
    })
    const details = { email: recipient.email }
    await record(tx, member, { action: 'transfer.codes_sent', target: recipient.id, details, now: deps.clock() })
    const emails = codeEmails(deps.config, { sender, recipient, offer, codes, lang })
    await sendEmail(deps, tx, { ...emails.current, to: sender.email })
    await sendEmail(deps, tx, { ...emails.recipient, to: recipient.email })
    return { resendAfter: secondsBetweenCodes, expiresAt: expiresAt.toISOString() }
  })
}

/** @throws Problem `too_often` */
async function expectSeldom(tx: Tx, member: Member, now: Date): Promise<void> {
  const sent = await codesSentSince(tx, member, new Date(now.getTime() - hourMs))
  const soon = secondsToNextCode(sent.at(-1), now)
  if (soon > 0) throw new Problem('too_often', { retryAfter: soon })
  const oldest = sent.at(-mostAnHour)
  if (!oldest) return
  throw new Problem('too_often', { retryAfter: Math.ceil((oldest.getTime() + hourMs - now.getTime()) / 1000) })
}
