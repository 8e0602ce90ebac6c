import { type AccessDuration, readSupportAccess, setSupportAccess } from '@atrium/contract/security.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { applyGrant } from './support-sessions.data.ts'

/** The current grant, and the ends it could be given now. */
export const supportAccessQuery = queryOptions({
  queryKey: ['support-access'],
  queryFn: ({ signal }) => call(readSupportAccess, {}, { signal }),
})

export function useSetSupportAccess() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { grantLoginExpireTime: AccessDuration }) => call(setSupportAccess, { body }),
    async onSuccess(fresh) {
      await storeReply(queryClient, supportAccessQuery.queryKey, fresh)
      await applyGrant(queryClient, fresh.grantLoginExpireTime)
      // It names the end too.
      void queryClient.invalidateQueries({ queryKey: ['profile'] })
    },
  })
}
