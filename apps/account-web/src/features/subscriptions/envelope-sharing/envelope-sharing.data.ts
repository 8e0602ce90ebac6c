import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import { changePlanFrom } from '@atrium/contract/plan-changes.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** What the dialog is about; a refusal says why it cannot be enabled. */
export const sharingQuery = (sid: string) =>
  queryOptions({
    queryKey: ['subscriptions', 'sharing', sid],
    queryFn: ({ signal }) => call(changePlanFrom, { body: { sid, type: 'enable-pooling-button' } }, { signal }),
    gcTime: 1000,
    retry: false,
  })

export function useEnableSharing() {
  return useMutation({
    mutationFn: (sid: string) => call(enablePooling, { body: { sid } }),
    onSuccess: (_changed, _sid, _result, { client }) => client.invalidateQueries({ queryKey: ['subscriptions'] }),
  })
}
