import type { EndpointReply, EndpointRequest } from '@atrium/contract/endpoint.ts'
import { seatTypes } from '@atrium/contract/seat-types.ts'
import {
  addSubscriptionUsers,
  changeUserRole,
  listSubscriptionUsers,
  previewUserRemoval,
  removeSubscriptionUser,
  resendInvitation,
  type SubscriptionUser,
  switchUserLicense,
  type TeamAction,
} from '@atrium/contract/team.ts'
import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { prefetch } from '../../api/query-client.ts'
import { listPageSize } from '../../page/list-page.ts'
import { usePage } from '../../page/page-data.ts'
import { TeamSearch } from './team.search.ts'

export type SubscribeDetail = EndpointReply<typeof listSubscriptionUsers>['subscribeDetail']

interface Listed {
  /** Id of the subscription. */
  sid: string
  /** A part of the email address; empty: all users. */
  keyWord: string
  page: number
}

/** Users of a subscription, ten per page (001 §9). */
export const subscriptionUsersQuery = ({ sid, keyWord, page }: Listed) =>
  queryOptions({
    queryKey: ['team', 'users', sid, keyWord, page],
    queryFn: ({ signal }) =>
      call(listSubscriptionUsers, { params: { sid }, query: { page, pageSize: listPageSize, keyWord } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Loads the data for an address before its screen. @returns undefined if it shows no users */
export function prefetchUsers(queryClient: QueryClient, search: object): Promise<void> | undefined {
  const { subId, user = '', page = 1 } = TeamSearch.parse(search)
  return subId ? prefetch(queryClient, subscriptionUsersQuery({ sid: subId, keyWord: user, page })) : undefined
}

/** A subscription whose users are changed, as the page has it. */
export interface Team extends Pick<SubscribeDetail, 'orgCode' | 'appCode' | 'appName'> {
  sid: string
}

interface Change {
  action: TeamAction
  user: SubscriptionUser
}

/** What the body of a change says of a user, as the page shows them. */
function shownUser({ email, distributionUuid, type }: SubscriptionUser) {
  return { email, distributionUuid, setupAdmin: flag(type === seatTypes.setupAdmin) }
}

/** What removing a person does, asked anew each time. */
export function useUserRemoval({ sid, orgCode }: Team, user: SubscriptionUser) {
  const { locale } = usePage()
  const body = { ...shownUser(user), orgCode, lang: locale.code, type: 0 as const }
  return useQuery({
    // Not a part of `team`: after the removal there is nothing to ask again.
    queryKey: ['team-removal', sid, user.distributionUuid],
    queryFn: ({ signal }) => call(previewUserRemoval, { params: { sid }, body }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Changes a user; afterwards, or if the page was old, the list is loaded again. */
export function useChangeUser({ sid, ...team }: Team) {
  const { locale } = usePage()
  const queryClient = useQueryClient()
  const params = { sid }
  return useMutation({
    mutationFn: async ({ action, user }: Change): Promise<unknown> => {
      const { email, distributionUuid, type, status } = user
      const common = { orgCode: team.orgCode, lang: locale.code, email }
      const shown = { ...common, ...shownUser(user) }
      if (action === 'resend') return call(resendInvitation, { params, body: shown })
      if (action === 'remove') {
        return call(removeSubscriptionUser, { params, body: { ...shown, type: flag(status === 'Pending') } })
      }
      if (action === 'change-role') {
        const next = type === seatTypes.member ? seatTypes.setupAdmin : seatTypes.member
        return call(changeUserRole, { params, body: { ...shown, type: next } })
      }
      const body = { ...common, appCode: team.appCode, type: flag(action === 'activate'), distributionUuid }
      return call(switchUserLicense, { params, body })
    },
    onSettled: () => refresh(queryClient),
  })
}

type Invitations = EndpointRequest<typeof addSubscriptionUsers>['body']

export function useAddUsers({ sid, orgCode }: Team, key: string) {
  const { locale } = usePage()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (asked: Omit<Invitations, 'orgCode' | 'lang'>) =>
      call(addSubscriptionUsers, { params: { sid }, body: { ...asked, orgCode, lang: locale.code } }, { key }),
    onSettled: () => refresh(queryClient),
  })
}

/** The users, and what other lists say of them: seats of subscriptions and licenses, and devices. */
function refresh(queryClient: QueryClient): Promise<unknown> {
  const others = ['subscriptions', 'licenses', 'devices'].map((name) =>
    queryClient.invalidateQueries({ queryKey: [name], refetchType: 'none' }),
  )
  return Promise.all([queryClient.invalidateQueries({ queryKey: ['team'] }), ...others])
}

function flag(holds: boolean): 0 | 1 {
  return holds ? 1 : 0
}
