import { sql } from 'drizzle-orm'
import { importer, lastOfEach } from '../../db/importer.ts'
import { members } from '../../db/members.tables.ts'

/** Members by e-mail: the vendor vouches for the address, so the first verified sign-in with it joins. */
export const memberImporter = importer('member', async (tx, lines, { now }) => {
  const rows = lastOfEach(lines, ({ record }) => record.email).map(({ record }) => ({
    email: record.email,
    emailVerified: true,
    firstName: record.firstName,
    lastName: record.lastName,
    phone: record.phone,
    company: record.company,
    countryCode: record.country,
    supportAccessUntil: record.grantLoginExpireTime === 0 ? null : new Date(record.grantLoginExpireTime * 1000),
    createdAt: now,
  }))
  await tx
    .insert(members)
    .values(rows)
    .onConflictDoUpdate({
      target: members.email,
      targetWhere: sql`${members.emailVerified}`,
      set: {
        firstName: sql`excluded.first_name`,
        lastName: sql`excluded.last_name`,
        phone: sql`excluded.phone`,
        company: sql`excluded.company`,
        countryCode: sql`excluded.country_code`,
        supportAccessUntil: sql`excluded.support_access_until`,
      },
    })
})
