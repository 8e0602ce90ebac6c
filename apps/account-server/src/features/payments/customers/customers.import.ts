import { inArray, or } from 'drizzle-orm'
import { excluded, importer, noMember, refused, rowsOf } from '../../../db/importer.ts'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import { providerCustomers } from './customers.tables.ts'

/** Customers that the vendor already has at the card provider. One belongs to one member. */
export const providerCustomerImporter = importer('provider-customer', async (tx, lines, context) => {
  const members = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const customerIds = lines.map(({ record }) => record.customerId)
  const known = await tx
    .select()
    .from(providerCustomers)
    .where(
      or(
        inArray(providerCustomers.customerId, customerIds),
        inArray(providerCustomers.memberId, [...members.values()]),
      ),
    )
  const customers = new Map(known.map(({ customerId, memberId }) => [memberId, customerId]))
  const owners = new Map(known.map(({ customerId, memberId }) => [customerId, memberId]))

  const rows = rowsOf(lines, context, ({ email, customerId }) => {
    const memberId = members.get(email)
    if (!memberId) return noMember
    const owner = owners.get(customerId)
    if (owner !== undefined && owner !== memberId) return refused('customerId', 'belongs to another member')
    if ((customers.get(memberId) ?? customerId) !== customerId) {
      return refused('customerId', 'is not the one that the member has')
    }
    owners.set(customerId, memberId)
    return { memberId, customerId, createdAt: context.now }
  })
  if (rows.length === 0) return
  await tx
    .insert(providerCustomers)
    .values(rows)
    .onConflictDoUpdate({ target: providerCustomers.memberId, set: excluded(providerCustomers, ['customerId']) })
})
