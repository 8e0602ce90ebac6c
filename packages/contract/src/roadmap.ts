import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery } from './page.ts'
import { Line } from './text.ts'

/**
 * The states of a roadmap item, in the order in which it passes them. Their names are those of the dictionary `roadmap-status`,
 * else our own.
 */
export const roadmapStatuses = ['planned', 'in_progress', 'in_beta', 'released'] as const
export const RoadmapStatus = z.enum(roadmapStatuses)
export type RoadmapStatus = z.infer<typeof RoadmapStatus>

/** A calendar quarter in UTC, such as `2026-Q4`. Its name is that of the dictionary `plan-cycle`, else our own. */
export const PlanCycle = z.string().regex(/^(19[89]\d|2[01]\d\d)-Q[1-4]$/, 'must be a quarter such as 2026-Q4')

/** The part of the product that an item belongs to, as the vendor writes it: `Windows`, `Web`. */
export const ProductType = Line(60).min(1)

/** The most characters of a keyword. */
export const maxRoadmapKeyword = 200

/** Roadmap item, 001 §3. */
export const RoadmapItem = z.object({
  /** The vendor's id of the item, which is shown: `PDF-1042`. */
  key: z.string(),
  productType: ProductType,
  /** In the vendor's language. */
  summary: z.string(),
  status: RoadmapStatus,
  planCycle: PlanCycle,
})
export type RoadmapItem = z.infer<typeof RoadmapItem>

/**
 * The roadmap of the PDF editor plus edition (001 §2), the same for all customers: the current quarter and the coming ones first,
 * then the past ones, the latest first. All filters apply together; a value that no item has is refused (422).
 */
export const listRoadmap = endpoint({
  method: 'GET',
  path: '/account/roadmap/',
  summary: 'What the vendor plans, develops and has released',
  query: PageQuery.extend({
    productType: ProductType.optional(),
    status: RoadmapStatus.optional(),
    planCycle: PlanCycle.optional(),
    /** Searches key and summary; upper and lower case are the same. */
    keyword: Line(maxRoadmapKeyword).default(''),
    /** 1: only the items of `currentQuarter`. */
    currentQuarter: z.enum(['0', '1']).default('0'),
  }),
  support: 'read',
  reply: z.object({
    list: z.array(RoadmapItem),
    total: z.int(),
    /** Choices of the filter: the quarters of all items, the earliest first. */
    planCycle: z.array(PlanCycle),
    /** Choices of the filter: the product types of all items, in alphabetical order. */
    productType: z.array(ProductType),
    /** The quarter of the vendor's clock. */
    currentQuarter: PlanCycle,
  }),
})
