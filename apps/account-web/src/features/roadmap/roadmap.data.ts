import { listRoadmap } from '@atrium/contract/roadmap.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { listPageSize } from '../../page/list-page.ts'
import { RoadmapFilter, RoadmapSearch } from './roadmap.search.ts'

/** The previous page stays visible while another one loads. */
export const roadmapQuery = (filter: RoadmapFilter, page: number) =>
  queryOptions({
    queryKey: ['roadmap', filter, page],
    queryFn: ({ signal }) => call(listRoadmap, { query: { ...filter, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Loads the list for an address. */
export function prefetchRoadmap(queryClient: QueryClient, search: unknown): Promise<void> {
  const { page = 1 } = RoadmapSearch.parse(search)
  return prefetch(queryClient, roadmapQuery(RoadmapFilter.parse(search), page))
}
