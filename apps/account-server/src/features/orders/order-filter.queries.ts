import type { OnlineOrdersFilter } from '@atrium/contract/orders.ts'
import { containing } from '@atrium/server-kit/database.ts'
import { and, eq, gte, like, lt, type SQL, sql } from 'drizzle-orm'
import { rangeBounds } from '../../db/range.rules.ts'
import { orders } from './orders.tables.ts'

/** Which filters are set. */
export interface Shape extends Readonly<Record<string, boolean>> {
  status: boolean
  range: boolean
  keyWord: boolean
}

/** The shape of a filter of a member's store orders, and the values of its placeholders. */
export function filterOf(memberId: string, { status, range, keyWord }: OnlineOrdersFilter, now: Date) {
  const shape: Shape = { status: status !== undefined, range: range !== undefined, keyWord: keyWord !== '' }
  const values = {
    memberId,
    ...(status && { status }),
    ...(range && rangeBounds(range, now)),
    ...(keyWord !== '' && { pattern: containing(keyWord) }),
  }
  return { shape, values }
}

export function matching({ status, range, keyWord }: Shape): SQL | undefined {
  return and(
    eq(orders.memberId, sql.placeholder('memberId')),
    status ? eq(orders.status, sql.placeholder('status')) : undefined,
    range ? gte(orders.date, sql.placeholder('since')) : undefined,
    range ? lt(orders.date, sql.placeholder('until')) : undefined,
    // The database lowercases both sides, so that they agree.
    keyWord ? like(orders.searched, sql`lower(${sql.placeholder('pattern')})`) : undefined,
  )
}
