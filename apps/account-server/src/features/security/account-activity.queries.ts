import type { listActivity, SsoActivity } from '@atrium/contract/activity.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, desc, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { members } from '../../db/members.tables.ts'
import { activity } from '../activity/activity.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { type ActivityRow, areaWords } from './activity-shown.rules.ts'

interface Asked extends z.output<typeof listActivity.query> {
  /** What the single sign-on reports of the filtered; undefined: it reports nothing, so our sessions stand for its own. */
  atSso: readonly SsoActivity[] | undefined
}

/** A page of what happened in a member's account here and at the single sign-on, newest first, and its number. */
export async function activityPage(db: Reader, member: Pick<Member, 'id'>, asked: Asked) {
  const { who, area, atSso, page, pageSize } = asked
  const shape: Shape = { who: who !== undefined, area: area ?? '', isMerged: atSso !== undefined }
  const values = {
    memberId: member.id,
    ...(who && { who }),
    ...(atSso && { atSso: JSON.stringify(atSso) }),
  }
  const [list, [counted]] = await Promise.all([
    pageOfActivity(db, shape).execute({
      ...values,
      most: page * pageSize,
      limit: pageSize,
      offset: (page - 1) * pageSize,
    }),
    numberOfActivity(db, shape).execute({ memberId: member.id, ...(who && { who }) }),
  ])
  return { list: list satisfies ActivityRow[], total: (counted?.total ?? 0) + (atSso?.length ?? 0) }
}

/** Which filters are set. */
interface Shape extends Readonly<Record<string, boolean | string>> {
  who: boolean
  area: keyof typeof areaWords | ''
  isMerged: boolean
}

const firstWord = sql`split_part(${activity.action}, '.', 1)`

function matching({ who, area, isMerged }: Shape): SQL | undefined {
  return and(
    eq(activity.memberId, sql.placeholder('memberId')),
    who ? eq(activity.actorKind, sql.placeholder('who')) : undefined,
    area === '' ? undefined : inArray(firstWord, [...areaWords[area]]),
    // The single sign-on reports the sign-ins that ours come from.
    isMerged ? not(eq(firstWord, 'session')) : undefined,
  )
}

/** Of our own rows. */
const numberOfActivity = preparedShapes('activity_number', (db, name, shape: Shape) =>
  db.select({ total: sql<number>`count(*)::int` }).from(activity).where(matching(shape)).prepare(name),
)

const pageOfActivity = preparedShapes('activity_page', (db, name, shape: Shape) => {
  const { actorKind, actor, action, target, details, address } = activity
  const at = sql`at`.mapWith(activity.at)
  const own = db
    .select({
      id: sql<string>`lpad(${activity.id}::text, 19, '0')`.as('entry_id'),
      at: activity.at,
      actorKind,
      actor,
      action,
      target,
      details,
      address,
    })
    .from(activity)
    .where(matching(shape))
    .orderBy(desc(activity.at), desc(activity.id))
    // Of ours alone, no more than this can be on the page.
    .limit(sql.placeholder('most'))
  const reported = db
    .select({
      id: sql<string>`id`,
      at: at.as('at'),
      actorKind: sql<typeof actorKind._.data>`who`,
      actor: sql<string>`''`,
      action: sql<string>`action`,
      target: sql<string>`''`,
      details: sql`jsonb_build_object('subject', subject)`,
      address: sql<string | null>`address`,
    })
    .from(
      sql`jsonb_to_recordset(${sql.placeholder('atSso')}::jsonb)
        as reported(id text, at timestamptz, who text, action text, subject text, address text)`,
    )
  const all = (shape.isMerged ? unionAll(own, reported) : own).as('all_entries')
  const entries = db
    .select()
    .from(all)
    .orderBy(sql`at desc`, sql`entry_id desc`)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('entries')
  // Only a colleague is named: a program's name, or the member's own id, says nothing to the customer.
  const colleague = sql`case when ${entries.actorKind} = 'colleague' then ${entries.actor}::uuid end`
  return db
    .select({
      id: entries.id,
      at: entries.at,
      who: entries.actorKind,
      action: entries.action,
      target: entries.target,
      details: entries.details,
      address: entries.address,
      colleague: members.email,
      product: products.name,
    })
    .from(entries)
    .leftJoin(members, eq(members.id, colleague))
    .leftJoin(products, eq(products.code, sql`${entries.details} ->> 'productCode'`))
    .orderBy(desc(entries.at), desc(entries.id))
    .prepare(name)
})
