import { z } from 'zod'
import { PlanCycle, RoadmapStatus } from '../roadmap.ts'
import { Text } from './fields.ts'

export const RoadmapItemRecord = z
  .strictObject({
    type: z.literal('roadmap-item'),
    key: Text(64).min(1).describe('The vendor’s own id of the item. Customers see it, and can search for it'),
    productType: Text(60)
      .min(1)
      .describe('The part of the product that it belongs to, as it is shown: `Windows`, `Web`'),
    summary: Text(300).min(1).describe('What customers get, in one sentence and one language'),
    status: RoadmapStatus.describe(
      'Shown by its name in the dictionary `roadmap-status`, or as Planned, In Development, In Beta, Released',
    ),
    planCycle: PlanCycle.meta({
      shape: 'quarter',
      shapeMeaning: 'A calendar quarter in UTC: `2026-Q4`; years 1980 to 2199',
    }).describe('Shown by its name in the dictionary `plan-cycle`, or as `Q4 2026` in each language'),
    position: z.int().min(0).max(1_000_000).default(0).describe('Place within its quarter, from 0; then by `key`'),
    withdrawn: z.boolean().default(false).describe('Takes the item off the roadmap'),
  })
  .meta({
    description: 'A feature on the roadmap of the PDF editor plus edition, which is the same for all customers.',
    naturalKey: ['key'],
  })
