import type { listRoadmap } from '@atrium/contract/roadmap.ts'
import { containing, descending, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, like, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { roadmapItems } from './roadmap.tables.ts'

interface Asked extends z.output<typeof listRoadmap.query> {
  /** The current quarter, such as `2026-Q4`. */
  current: string
}

/** A page of the matching items, their number, and the quarters and product types that the roadmap has. */
export async function roadmapPage(db: Reader, asked: Asked) {
  const { productType, status, planCycle, keyword, currentQuarter, current, page, pageSize } = asked
  const shape = {
    productType: productType !== undefined,
    status: status !== undefined,
    planCycle: planCycle !== undefined,
    keyword: keyword !== '',
    currentQuarter: currentQuarter === '1',
  }
  const values = {
    ...(productType !== undefined && { productType }),
    ...(status && { status }),
    ...(planCycle !== undefined && { planCycle }),
    ...(keyword !== '' && { pattern: containing(keyword) }),
  }
  const [list, [facts]] = await Promise.all([
    pageOfItems(db, shape).execute({ ...values, current, limit: pageSize, offset: (page - 1) * pageSize }),
    factsOfRoadmap(db, shape).execute({ ...values, ...(shape.currentQuarter && { current }) }),
  ])
  const { total = 0, planCycles = [], productTypes = [] } = facts ?? {}
  return { list, total, planCycles, productTypes }
}

/** Which filters are set. */
interface Shape extends Readonly<Record<string, boolean>> {
  productType: boolean
  status: boolean
  planCycle: boolean
  keyword: boolean
  currentQuarter: boolean
}

const searched = sql`lower(${roadmapItems.key} || ' ' || ${roadmapItems.summary})`

function matching(shape: Shape): SQL | undefined {
  return and(
    shape.productType ? eq(roadmapItems.productType, sql.placeholder('productType')) : undefined,
    shape.status ? eq(roadmapItems.status, sql.placeholder('status')) : undefined,
    shape.planCycle ? eq(roadmapItems.planCycle, sql.placeholder('planCycle')) : undefined,
    shape.currentQuarter ? eq(roadmapItems.planCycle, sql.placeholder('current')) : undefined,
    // The database lowercases both sides, so that they agree.
    shape.keyword ? like(searched, sql`lower(${sql.placeholder('pattern')})`) : undefined,
  )
}

const isPast = sql`${roadmapItems.planCycle} < ${sql.placeholder('current')}`

const pageOfItems = preparedShapes('roadmap_page', (db, name, shape: Shape) => {
  const { key, productType, summary, status, planCycle, position } = roadmapItems
  return db
    .select({ key, productType, summary, status, planCycle })
    .from(roadmapItems)
    .where(matching(shape))
    .orderBy(
      asc(isPast),
      asc(sql`case when not ${isPast} then ${planCycle} end`),
      descending(planCycle),
      asc(position),
      asc(key),
    )
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name)
})

/** The choices of the filters do not depend on what is filtered. */
const factsOfRoadmap = preparedShapes('roadmap_facts', (db, name, shape: Shape) => {
  const { planCycle, productType } = roadmapItems
  const isMatch = matching(shape) ?? sql`true`
  return db
    .select({
      total: sql<number>`(count(*) filter (where ${isMatch}))::int`,
      planCycles: sql<string[]>`coalesce(array_agg(distinct ${planCycle} order by ${planCycle}), '{}')`,
      productTypes: sql<string[]>`coalesce(array_agg(distinct ${productType} order by ${productType}), '{}')`,
    })
    .from(roadmapItems)
    .prepare(name)
})
