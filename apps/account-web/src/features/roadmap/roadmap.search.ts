import { maxRoadmapKeyword, PlanCycle, ProductType, RoadmapStatus } from '@atrium/contract/roadmap.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The filters of the roadmap (001 §2, §7), named as on the wire. */
const filters = {
  status: RoadmapStatus.optional().catch(undefined),
  planCycle: PlanCycle.optional().catch(undefined),
  productType: ProductType.optional().catch(undefined),
  keyword: z.string().trim().min(1).max(maxRoadmapKeyword).optional().catch(undefined),
  /** Left out for all quarters. */
  currentQuarter: z.literal('1').optional().catch(undefined),
}

export const RoadmapFilter = z.object(filters)
export type RoadmapFilter = z.output<typeof RoadmapFilter>

/** The search parameters of the roadmap. */
export const RoadmapSearch = z.object({ ...filters, page: PageNumber })

export const noFilter = {
  ...{ status: undefined, planCycle: undefined, productType: undefined },
  ...{ keyword: undefined, currentQuarter: undefined },
} satisfies RoadmapFilter
