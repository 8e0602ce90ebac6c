import { listActivity } from '@atrium/contract/activity.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { activityKey } from '../../api/query-client.ts'
import { listPageSize } from '../../page/list-page.ts'
import type { ActivityFilter } from './security.search.ts'

/** The previous page stays visible while another one loads; read again when the page is looked at, since it grows meanwhile. */
export const activityQuery = (filter: ActivityFilter, page: number) =>
  queryOptions({
    queryKey: [...activityKey, filter, page],
    queryFn: ({ signal }) => call(listActivity, { query: { ...filter, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: 'always',
  })
