import type { SharingDetail } from '@atrium/contract/change-details.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { record } from '../../activity/activity.writes.ts'
import { publishEvent } from '../../events/events.writes.ts'
import { recordNow } from '../change-outcome.ts'
import { subscriptionOfMember } from '../subscription-list.queries.ts'
import { subscriptionRecord, viewOf } from '../subscription-record.rules.ts'
import { accessNow } from '../subscriptions.rules.ts'
import { subscriptions } from '../subscriptions.tables.ts'

/**
 * The content of the dialog that enables it (001 §4, `enable-pooling-button`): without amounts, since nothing is charged.
 * @throws Problem `not_found`, `not_owner`, `pooling_not_possible`, also once it is enabled
 */
export async function sharingDetail(deps: Deps, member: Member, sid: string): Promise<SharingDetail> {
  const access = accessNow(deps)
  const listed = await subscriptionOfMember(deps.db, member, { id: sid, access })
  if (!listed) throw new Problem('not_found')
  if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
  const { isNeedBindPooling, paidType } = subscriptionRecord(listed, viewOf(deps.config, access.now))
  if (isNeedBindPooling === 0) throw new Problem('pooling_not_possible')
  return {
    type: 'enable-pooling-button',
    stripeSubscriptionId: listed.id,
    appName: listed.product.name,
    appCode: listed.productCode,
    skuName: listed.product.skuName,
    paidType,
    userCount: listed.userCount,
    storageCapacity: listed.storageCapacity,
    esignConnectors: listed.connectors,
    email: member.email,
  }
}

/**
 * Enables envelope sharing, once and for good; the vendor's systems hear of it by `subscription.changed`. Not for whom only a typed address
 * made the Owner.
 * @throws Problem `not_found`, `not_owner`, `pooling_not_possible`
 */
export async function enableSharing(deps: Deps, member: Member, sid: string): Promise<Subscription> {
  await deps.db.transaction(async (tx) => {
    // The row's lock: of two requests the second one finds it enabled.
    const [locked] = await tx
      .select({ isPooled: subscriptions.isPooled })
      .from(subscriptions)
      .where(eq(subscriptions.id, sid))
      .for('update')
    const access = accessNow(deps)
    const listed = locked && (await subscriptionOfMember(tx, member, { id: sid, access }))
    if (!listed) throw new Problem('not_found')
    if (listed.role !== seatTypes.owner) throw new Problem('not_owner')
    if (listed.isPooled) return
    const { isNeedBindPooling } = subscriptionRecord(listed, viewOf(deps.config, access.now))
    if (isNeedBindPooling === 0) throw new Problem('pooling_not_possible')

    await tx.update(subscriptions).set({ isPooled: true }).where(eq(subscriptions.id, sid))
    const details = { productCode: listed.productCode, before: { isPooled: false }, after: { isPooled: true } }
    await record(tx, member, { action: 'subscription.changed', target: sid, details, now: access.now })
    const { status, productCode, userCount, periodEnd, cancelAt, endedAt } = listed
    const facts = { status, productCode, userCount, periodEnd, cancelAt, endedAt }
    const data = { subscriptionId: sid, changed: ['isPooled'], ...facts }
    await publishEvent(deps, tx, { type: 'subscription.changed', data, now: access.now })
  })
  return recordNow(deps, member, sid)
}
