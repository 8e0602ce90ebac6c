import { acceptInvitation, InvitationToken, readInvitation } from '@atrium/contract/invitations.ts'
import { signOut } from '@atrium/contract/session.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callOnce, problemData } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'

/** What a link is for; a link that was cut off is not asked for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(readInvitation, { body: { token } }, { signal }),
    enabled: InvitationToken.safeParse(token).success,
  })

export function useAcceptInvitation(token: string) {
  const queryClient = useQueryClient()
  const query = invitationQuery(token)
  return useMutation({
    // Without the frame there is no dialog that could ask to sign in again: the page says so.
    mutationFn: () => callOnce(acceptInvitation, { body: { token } }),
    async onError(problem) {
      const fresh = problemData(problem, acceptInvitation, 'invitation_void')
      if (fresh) await storeReply(queryClient, query.queryKey, (known) => known && { ...known, state: fresh.state })
    },
  })
}

/** Signs out here and at the single sign-on; the account page then asks who signs in. */
export function useSwitchAccount(onLeave: () => void) {
  return useMutation({
    mutationFn: () => call(signOut, { body: { to: 'account' } }),
    onSuccess({ redirectUrl }) {
      onLeave()
      location.assign(redirectUrl)
    },
  })
}
