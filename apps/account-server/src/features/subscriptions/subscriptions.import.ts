import { dateOrNull, excluded, importer, noMember, noProduct, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { subscriptions } from './subscriptions.tables.ts'

export const subscriptionImporter = importer('subscription', async (tx, lines, context) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const codes = await productCodes(tx)
  const rows = rowsOf(lines, context, (record) => {
    const memberId = memberIds.get(record.email)
    if (!memberId) return noMember
    if (!codes.has(record.productCode)) return noProduct
    const { productCode, status, userCount, origin, channel, orgCode } = record
    return {
      id: record.subscriptionId,
      memberId,
      productCode,
      status,
      userCount,
      origin,
      channel,
      orgCode,
      autoRenew: record.autoRenewal,
      periodStart: new Date(record.periodStart),
      periodEnd: dateOrNull(record.periodEnd),
      trialEnd: dateOrNull(record.trialEnd),
      cancelAt: dateOrNull(record.cancelAt),
      pastDueSince: dateOrNull(record.pastDueSince),
      endedAt: dateOrNull(record.endedAt),
    }
  })
  if (rows.length === 0) return

  await tx
    .insert(subscriptions)
    .values(rows)
    .onConflictDoUpdate({
      target: subscriptions.id,
      set: excluded(subscriptions, [
        'memberId',
        'productCode',
        'status',
        'userCount',
        'origin',
        'channel',
        'autoRenew',
        'periodStart',
        'periodEnd',
        'trialEnd',
        'cancelAt',
        'pastDueSince',
        'endedAt',
        'orgCode',
      ]),
    })
})
