import { inArray } from 'drizzle-orm'
import { importer, noMember, refused, rowsOf } from '../../../db/importer.ts'
import { memberIdsByEmail } from '../../../db/members.queries.ts'
import { declinedCustomers } from '../unmatched/unmatched.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { linkCustomers, makeMain } from './customers.writes.ts'
import { isCorrectable, isProven } from './link-proofs.rules.ts'

const ofAnother = 'belongs to another member'
const correctedByCommand = `${ofAnother}: npm run members -- link-customer gives it to this one`
const saidNotTheirs =
  'the member has said that it is not theirs: npm run members -- link-customer links it all the same'

/** Customers that the vendor already has at the card provider: one belongs to one member, who may have several. */
export const providerCustomerImporter = importer('provider-customer', async (tx, lines, context) => {
  const members = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const { customerId: id, memberId: ownerId, proof } = providerCustomers
  const ids = lines.map(({ record }) => record.customerId)
  const known = await tx.select({ id, ownerId, proof }).from(providerCustomers).where(inArray(id, ids))
  const owners = new Map(known.map((row) => [row.id, row]))

  const declined = await declinedCustomers(tx, ids)

  const links = rowsOf(lines, context, ({ email, customerId, main }) => {
    const memberId = members.get(email)
    if (!memberId) return noMember
    const owner = owners.get(customerId)
    if (owner !== undefined && owner.ownerId !== memberId)
      return refused('customerId', isCorrectable(owner.proof) ? correctedByCommand : ofAnother)
    const isLinked = owner !== undefined && isProven(owner.proof)
    if (!isLinked && declined.get(customerId)?.has(memberId)) return refused('customerId', saidNotTheirs)
    owners.set(customerId, { id: customerId, ownerId: memberId, proof: 'vendor' })
    return { memberId, customerId, proof: 'vendor' as const, isMain: main }
  })
  await linkCustomers(tx, links, context.now)
  for (const link of links.filter(({ isMain }) => isMain)) await makeMain(tx, link, { replaces: true })
})
