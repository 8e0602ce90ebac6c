import type { Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { importer, recordset, refused, rowsOf } from '../../db/importer.ts'
import { members, type ProfileField, profileFields } from '../../db/members.tables.ts'
import { isCountry } from './countries.rules.ts'

type Row = typeof members.$inferInsert

/** Members by e-mail. The vendor vouches for the address, so that the first verified sign-in with it is linked. */
export const memberImporter = importer('member', async (tx, lines, context) => {
  const rows = rowsOf(
    lines,
    context,
    ({ email, firstName, lastName, phone, company, country, grantLoginExpireTime, overwrite }) => {
      if (country !== '' && !isCountry(country)) return refused('country', 'is not a country code of ISO 3166-1')
      const profile = { email, firstName, lastName, phone, company, countryCode: country }
      const supportAccessUntil = grantLoginExpireTime === 0 ? null : new Date(grantLoginExpireTime * 1000)
      return {
        overwrite,
        member: { ...profile, supportAccessUntil, editedFields: [], emailVerified: true, createdAt: context.now },
      }
    },
  )
  for (const overwrite of [false, true]) {
    await upsert(
      tx,
      rows.filter((row) => row.overwrite === overwrite).map(({ member }) => member),
      { overwrite },
    )
  }
})

/** Empty fields change nothing, and neither is support access that the member granted or withdrew changed. */
async function upsert(tx: Tx, rows: readonly Row[], { overwrite }: { overwrite: boolean }): Promise<void> {
  if (rows.length === 0) return
  const profile = profileFields.map((field) => [field, overwrite ? given(field) : givenUnlessEdited(field)])
  await tx
    .insert(members)
    .select(recordset(members, rows))
    .onConflictDoUpdate({
      target: members.email,
      targetWhere: sql`${members.emailVerified}`,
      set: {
        ...Object.fromEntries(profile),
        countryCode: given('countryCode'),
        ...(overwrite && { editedFields: stillEdited }),
      },
    })
}

const column = (field: ProfileField | 'countryCode') => sql.identifier(members[field].name)

/** The line's value, or the present one. */
function given(field: ProfileField | 'countryCode') {
  return sql`coalesce(nullif(excluded.${column(field)}, ''), ${members[field]})`
}

function givenUnlessEdited(field: ProfileField) {
  return sql`case when ${field} = any(${members.editedFields}) then ${members[field]} else ${given(field)} end`
}

/** An overwritten field belongs to the vendor again. */
const stillEdited = sql`array(
  select field from unnest(${members.editedFields}) field
  where jsonb_build_object(${sql.join(
    profileFields.map((field) => sql`${field}::text, excluded.${column(field)}`),
    sql`, `,
  )}) ->> field = ''
)`
