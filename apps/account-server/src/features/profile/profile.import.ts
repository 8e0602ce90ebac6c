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
      // What a line leaves empty stays, and so does the access that the member gave, or took back, here.
      set: {
        firstName: given('first_name'),
        lastName: given('last_name'),
        phone: given('phone'),
        company: given('company'),
        countryCode: given('country_code'),
      },
    })
})

/** The line's value, or what is there already. */
function given(column: string) {
  return sql`coalesce(nullif(excluded.${sql.identifier(column)}, ''), ${members}.${sql.identifier(column)})`
}
