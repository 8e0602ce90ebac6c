import { ActivityActor, ActivityArea } from '@atrium/contract/activity.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The filters of the activity, named as on the wire. */
const filters = {
  who: ActivityActor.optional().catch(undefined),
  area: ActivityArea.optional().catch(undefined),
}

export const ActivityFilter = z.object(filters)
export type ActivityFilter = z.output<typeof ActivityFilter>

/** The search parameters of Security Settings. */
export const SecuritySearch = z.object({ ...filters, page: PageNumber })
