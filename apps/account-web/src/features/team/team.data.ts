import { listSubscriptionUsers } from '@atrium/contract/team.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { listPageSize } from '../../page/list-page.ts'

/** Users of a subscription, ten per page (001 §9). */
export const subscriptionUsersQuery = (sid: string, page: number) =>
  queryOptions({
    queryKey: ['team', 'users', sid, page],
    queryFn: ({ signal }) => call(listSubscriptionUsers, { query: { sid, page, pageSize: listPageSize } }, { signal }),
    placeholderData: keepPreviousData,
  })
