import type { Db } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { lockMember } from '../../../db/members.queries.ts'
import { recordOperator } from '../../activity/activity.writes.ts'
import { memberOfVerifiedEmail } from '../../session/session.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { linkCustomers, unlinkCustomers } from './customers.writes.ts'

interface Link {
  /** The member's verified address. */
  email: string
  customerId: string
  dryRun: boolean
  now: Date
}

export type LinkOutcome =
  | { kind: 'unknown_email' }
  | { kind: 'already_linked'; memberId: string }
  /** It is known to be somebody else. */
  | { kind: 'of_another_member'; memberId: string }
  /** Done, or, in a dry run, what would be done. */
  | { kind: 'linked'; memberId: string }

/** Links a customer of the card provider to the member with an e-mail address, as the vendor's word. */
export function linkCustomer(db: Db, { email, customerId, dryRun, now }: Link): Promise<LinkOutcome> {
  return db.transaction(async (tx) => {
    const member = await memberOfVerifiedEmail(tx, email)
    if (!member) return { kind: 'unknown_email' }
    const { id: memberId } = member
    await lockMember(tx, member)
    const isCustomer = eq(providerCustomers.customerId, customerId)
    const [before] = await tx.select().from(providerCustomers).where(isCustomer).for('update')
    if (before?.memberId === memberId && before.proof !== 'address') return { kind: 'already_linked', memberId }
    if (before && before.memberId !== memberId && before.proof !== 'address') {
      return { kind: 'of_another_member', memberId: before.memberId }
    }
    if (dryRun) return { kind: 'linked', memberId }

    if (before && before.memberId !== memberId) await unlinkCustomers(tx, [customerId])
    await linkCustomers(tx, [{ customerId, memberId, proof: 'vendor' }], now)
    await recordOperator(tx, memberId, { action: 'customer.linked', target: customerId, now })
    return { kind: 'linked', memberId }
  })
}
